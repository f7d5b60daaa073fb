// Animates cards from their old place to the new one. Every place has a `data-spot`. If a place is drawn twice, small in the
// strip and large, the large one counts.
import { EASE, float, placeOf, SLOW, type Place } from '../../ui/cards/fly';
import type { Event } from './types.gen';

export interface Flight {
  to: string;
  from: string;
}

/** The moves of cards that an event caused. */
export function flights(events: readonly Event[], seat: number | null): Flight[] {
  const stock = (owner: number) => (owner === seat ? 'stock' : `tile-${owner}`);
  return events.flatMap((event): Flight[] => {
    const owner = event.seat ?? 0;
    const cell = `cell-${owner}-${event.cell}`;
    switch (event.kind) {
      case 'drew':
        return [{ to: 'held', from: event.source! }];
      case 'placed':
        return [
          {
            to: cell,
            from: events.some((one) => one.action === 'gamble' || one.repeats === 'gamble') ? 'deck' : 'held',
          },
          { to: 'discard', from: cell },
        ];
      case 'discarded':
        return [{ to: 'discard', from: 'held' }];
      case 'cleared':
        return [{ to: 'discard', from: `cell-${owner}-${event.column! + 4}` }];
      case 'played':
      case 'thrown':
      case 'lost':
        return [{ to: 'played', from: stock(owner) }];
      case 'stored':
        return [{ to: stock(owner), from: 'held' }];
      case 'moved': {
        const other = `cell-${event.target ?? owner}-${event.target_cell}`;
        return [
          { to: cell, from: other },
          { to: other, from: cell },
        ];
      }
      default:
        return [];
    }
  });
}

export type Spots = Map<string, Place>;

function spots(root: HTMLElement): Map<string, { one: HTMLElement; place: Place }> {
  const found = new Map<string, { one: HTMLElement; place: Place }>();
  for (const one of root.querySelectorAll<HTMLElement>('[data-spot]')) {
    const place = placeOf(one);
    const known = found.get(one.dataset.spot!);
    if (place.width && (!known || known.place.width < place.width)) found.set(one.dataset.spot!, { one, place });
  }
  return found;
}

/** Measures where everything is now. */
export function remember(root: HTMLElement): Spots {
  return new Map([...spots(root)].map(([name, { place }]) => [name, place]));
}

/** Animates the cards from where they were before. */
export function fly(root: HTMLElement, before: Spots, ways: readonly Flight[]): void {
  const now = spots(root);
  for (const { to, from } of ways) {
    const end = now.get(to);
    const start = before.get(from) ?? now.get(from)?.place;
    if (!end || !start) continue;
    const x = start.x + start.width / 2 - end.place.x - end.place.width / 2;
    const y = start.y + start.height / 2 - end.place.y - end.place.height / 2;
    if (Math.hypot(x, y) < 2) continue;
    const scale = Math.min(2, Math.max(0.3, start.height / end.place.height));
    const frames = [{ transform: `translate(${x}px, ${y}px) scale(${scale})` }, { transform: 'none' }];
    float(end.one, frames, { duration: SLOW, easing: EASE }, 3);
  }
}
