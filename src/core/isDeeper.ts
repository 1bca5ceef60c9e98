/** Whether a value is nested deeper than `limit` containers. Looks no deeper than that: the rest may be endless. */
export function isDeeper(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return limit === 0 || Object.values(value).some((inner) => isDeeper(inner, limit - 1));
}
