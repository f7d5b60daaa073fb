// The one search of this page, and what was last searched for.
import { isTime, refusalText } from '../../core/labels';
import { meetMe } from '../../core/me.svelte';
import { optionFields } from '../../core/options';
import { PRESETS } from '../../core/paces.gen';
import { router } from '../../core/router.svelte';
import { Search, type Wanted } from '../../core/search.svelte';
import type { GameCard } from '../../core/types.gen';
import { toast } from '../../ui/toasts.svelte';
import { t } from './words';

export const search = new Search({
  seated: (code) => router.go(`/table/${code}`),
  ended: (why) => {
    if (why === 'missed' || why === 'moved' || why === 'failed') toast(t(`ended.${why}`), 'warn');
  },
  refused: (frame, game) => toast(refusalText(frame, game), 'warn'),
});

/** Begin to search; a new visitor gets a cookie first. */
export async function seek(wanted: Wanted): Promise<void> {
  try {
    await meetMe();
    search.begin(wanted);
  } catch (error) {
    toast(refusalText(error as { code: string }), 'warn');
  }
}

const KEY = 'tablee.play';
/** The paces that « Jouer maintenant » offers: few, so that people meet. */
export const PACES = ['', '3+2', '5+3', '10+5', '15+10', '1d', '3d'].filter((name) => !name || name in PRESETS);
const USUAL = '10+5';

type Choice = Pick<Wanted, 'pace' | 'seats'>;
type Kept = { game?: string; choices?: Record<string, Partial<Choice>> };

function stored(): Kept {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? '{}') as Kept | null) ?? {};
  } catch {
    return {};
  }
}

/** What was last searched for, as far as this server still has it; at first the first game. */
export function lastWanted(games: GameCard[], key?: string): Wanted | null {
  const kept = stored();
  const game = games.find((one) => one.key === (key ?? kept.game)) ?? games[0];
  if (!game) return null;
  const last = kept.choices?.[game.key] ?? {};
  const seats = Number(last.seats);
  // A game with its own options for time prescribes a clock; another one would have none.
  const usual = optionFields(game.options).some((field) => isTime(field.name)) ? '' : USUAL;
  return {
    game: game.key,
    pace: PACES.find((name) => name === last.pace) ?? usual,
    seats: seats >= game.seats[0] && seats <= game.seats[1] ? seats : game.seats[0],
  };
}

export function keepWanted({ game, pace, seats }: Wanted): void {
  try {
    const choices = { ...stored().choices, [game]: { pace, seats } };
    localStorage.setItem(KEY, JSON.stringify({ game, choices }));
  } catch {
    // A browser that keeps nothing still searches.
  }
}
