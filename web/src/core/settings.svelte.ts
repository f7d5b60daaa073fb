// The settings of this browser. They are read before the first paint, and every change is saved at once.
import { lang, LANGUAGES, preferredLang, type Lang } from '../i18n';

export const THEMES = ['auto', 'light', 'dark'] as const;
export const MOTIONS = ['auto', 'full', 'reduced'] as const;

export interface Settings {
  lang: Lang;
  theme: (typeof THEMES)[number];
  motion: (typeof MOTIONS)[number];
  sound: boolean;
  fourColours: boolean;
  /** People whose messages this browser does not show. */
  muted: string[];
  /** Hides the messages of spectators. */
  muteSpectators: boolean;
  /** Whether a board that can turn its view to the active player does so. */
  follow: boolean;
  /** A move may be planned while somebody else is to act. */
  premoves: boolean;
  /** On a wide screen the panel beside the cloth is folded away. */
  folded: boolean;
}

const KEY = 'tablee.settings';

/** Keeps the values that are still valid; the others become defaults. */
export function readSettings(stored: string | null, languages: readonly string[]): Settings {
  let old: Partial<Settings>;
  try {
    old = (JSON.parse(stored ?? '{}') as Partial<Settings> | null) ?? {};
  } catch {
    old = {};
  }
  const one = <T>(value: unknown, known: readonly T[], otherwise: T) =>
    known.find((each) => each === value) ?? otherwise;
  return {
    lang: one(old.lang, LANGUAGES, preferredLang(languages)),
    theme: one(old.theme, THEMES, 'auto'),
    motion: one(old.motion, MOTIONS, 'auto'),
    sound: old.sound === true,
    fourColours: old.fourColours === true,
    muted: Array.isArray(old.muted) ? old.muted.filter((one) => typeof one === 'string') : [],
    muteSpectators: old.muteSpectators === true,
    follow: old.follow !== false,
    premoves: old.premoves !== false,
    folded: old.folded === true,
  };
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export const settings = $state<Settings>(readSettings(stored(), navigator.languages));

const calm = matchMedia('(prefers-reduced-motion: reduce)');
const system = $state({ calm: calm.matches });
calm.addEventListener('change', () => (system.calm = calm.matches));

/** Whether anything may move on the screen. */
export function motionAllowed(): boolean {
  return settings.motion === 'auto' ? !system.calm : settings.motion === 'full';
}

export function changeSettings(change: Partial<Settings>): void {
  Object.assign(settings, change);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing still plays; the choice lasts as long as the page.
  }
}

/** Keeps `<html>` and the language in step with the settings. */
export function followSettings(): void {
  lang.current = settings.lang;
  const root = document.documentElement;
  $effect.root(() => {
    $effect.pre(() => {
      lang.current = settings.lang;
      root.lang = settings.lang;
      if (settings.theme === 'auto') delete root.dataset.theme;
      else root.dataset.theme = settings.theme;
      root.dataset.motion = motionAllowed() ? 'full' : 'reduced';
      root.dataset.suits = settings.fourColours ? 'four' : 'two';
    });
  });
}
