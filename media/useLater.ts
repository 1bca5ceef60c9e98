import { useEffect, useState } from 'preact/hooks';

/** Long enough for a frame to be painted, too short to be missed. */
const later = 50;

/** False for a thing that has just come, true once it was painted: what is not seen at first is drawn then. */
export function useLater(thing: unknown): boolean {
  const [painted, setPainted] = useState<unknown>();
  useEffect(() => {
    const timer = setTimeout(() => setPainted(thing), later);
    return () => clearTimeout(timer);
  }, [thing]);
  return painted === thing;
}
