/** Whether a value is nested deeper than `limit` containers. Looks no deeper than that: the rest may be endless. */
export function isDeeper(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit === 0) return true;
  // Not by lists of the values: every line of a journal is walked when it is read.
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (isDeeper(value[index], limit - 1)) return true;
    return false;
  }
  for (const key in value) if (isDeeper((value as Record<string, unknown>)[key], limit - 1)) return true;
  return false;
}
