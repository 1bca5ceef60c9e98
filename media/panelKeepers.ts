/** What a panel keeps for the page that is made anew after this one: how it is read, which changes nothing that is drawn. */
import type { Place, SavedPanel, Scrolled } from '../src/core/protocol.ts';
import { type Known, nothingKnown, plainLooks } from './panelKnown.ts';
import type { PanelStore } from './panelStore.ts';

/** Unfolded things that are saved: the last ones, since a page may stay for days. */
const mostOpened = 200;

/** What a page knows before the host has said anything: how it was read before, if it was. */
export function restored({
  selection = null,
  looks,
  place,
  scrolled = {},
  followed,
  opened = [],
}: Partial<SavedPanel> = {}): Omit<Known, 'version'> {
  return {
    ...nothingKnown(),
    selection,
    looks: { ...plainLooks, ...looks },
    place,
    scrolled,
    followed,
    opened: new Map(opened),
  };
}

export function savedPanel({
  session,
  selection,
  looks,
  place,
  scrolled,
  followed,
  opened,
}: Known): SavedPanel {
  return {
    session: session?.id ?? null,
    selection,
    looks,
    ...(place ? { place } : {}),
    ...(Object.keys(scrolled).length > 0 ? { scrolled } : {}),
    ...(followed === undefined ? {} : { followed }),
    ...(opened.size > 0 ? { opened: [...opened].slice(-mostOpened) } : {}),
  };
}

type Keepers = Pick<PanelStore, 'unfold' | 'keepPlace' | 'keepScrolled' | 'follow'>;

export function createPanelKeepers(known: Known, save: () => void): Keepers {
  return {
    unfold: (key: string, far: number) => {
      known.opened.delete(key);
      if (far > 0) known.opened.set(key, far);
      save();
    },
    keepPlace: (place: Place | undefined) => {
      known.place = place;
      save();
    },
    keepScrolled: (what: keyof Scrolled, pixels: number) => {
      const { [what]: _before, ...others } = known.scrolled;
      known.scrolled = pixels > 0 ? { ...others, [what]: pixels } : others;
      save();
    },
    follow: (thing: string) => {
      known.followed = thing;
      known.place = undefined;
      known.scrolled = {};
      save();
    },
  };
}
