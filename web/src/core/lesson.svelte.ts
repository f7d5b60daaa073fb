// Runs a lesson: which moment is shown, which position lies on the board, and what became of the reader's action.
import type { PlayedStep } from './game';
import type { LessonAnswer, LessonFrame, LessonMoment, LessonPage, PreviewFrame, Words } from './types.gen';

/** Milliseconds between two steps that the lesson plays by itself. */
const PACE = 900;

/** What the reader is asked for: to act, or to read and continue. */
export type Asked = 'act' | 'continue';

/** Whether two actions are the same: equal values, whatever the order of their fields; a missing field is null. */
export function sameAction(one: unknown, other: unknown): boolean {
  if (one === other || (one ?? null) === (other ?? null)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [mine, theirs] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return [...new Set([...Object.keys(mine), ...Object.keys(theirs)])].every((key) =>
    sameAction(mine[key], theirs[key]),
  );
}

/** The positions from the start of the scene up to a moment, before the moment's own frames. */
export function sceneBefore(moments: readonly LessonMoment[], at: number): LessonFrame[] {
  if (moments[at]?.jumps) return [];
  let first = at;
  while (first > 0 && !moments[first]!.jumps) first--;
  return moments.slice(first, at).flatMap(({ frames, answers }) => [...frames, ...answers.slice(0, 1).map(frameOf)]);
}

const frameOf = (answer: LessonAnswer) => answer.frame;

export class LessonRun {
  readonly lesson: LessonPage;
  /** The moment, from 0. */
  at = $state(0);
  /** How many of the moment's frames lie on the board. */
  #shown = $state(0);
  #answer = $state.raw<LessonAnswer | null>(null);
  /** The reader's last action was another than the moment wants. */
  wrong = $state(false);
  /** How often the reader tried something else in this moment. */
  tries = $state(0);
  finished = $state(false);
  /** Grows with every jump: a board begins anew then. */
  scene = $state(0);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pace: () => number;

  constructor(lesson: LessonPage, at = 0, pace = () => PACE) {
    this.lesson = lesson;
    this.#pace = pace;
    this.go(Math.min(at, lesson.moments.length - 1));
  }

  get moment(): LessonMoment {
    return this.lesson.moments[this.at]!;
  }

  /** Every position of the scene so far. */
  #frames = $derived.by(() => [
    ...sceneBefore(this.lesson.moments, this.at),
    ...this.moment.frames.slice(0, this.#shown),
    ...(this.#answer ? [this.#answer.frame] : []),
  ]);

  /** The position on the board. */
  get frame(): LessonFrame {
    return this.#frames.at(-1)!;
  }

  get previous(): LessonFrame | null {
    return this.frame.step ? (this.#frames.at(-2) ?? null) : null;
  }

  /** The steps of the scene so far. */
  get history(): PlayedStep[] {
    return this.#frames.flatMap((frame, i) =>
      frame.step ? [{ step: frame.step, view: frame.view, previous: this.#frames[i - 1]?.view ?? null }] : [],
    );
  }

  get ply(): number {
    return this.#frames.length;
  }

  /** The others have played what they play in this moment. */
  get ready(): boolean {
    return this.#shown >= this.moment.frames.length;
  }

  get asked(): Asked {
    return this.moment.answers.length && !this.#answer ? 'act' : 'continue';
  }

  /** What is said now. */
  get words(): Words {
    if (this.#answer && this.moment.done) return this.moment.done;
    return (this.wrong && this.moment.hint) || this.moment.say;
  }

  get isLast(): boolean {
    return this.at === this.lesson.moments.length - 1;
  }

  /** Jumps to a moment and begins it anew. */
  go(at: number): void {
    this.scene++;
    this.finished = false;
    this.#enter(at);
  }

  back(): void {
    // An answered moment is asked again first.
    if (this.#answer) this.go(this.at);
    else if (this.at > 0) this.go(this.at - 1);
  }

  /** Goes on after a remark. Steps that are still to come lie on the board at once. */
  next(): void {
    if (this.asked === 'act') return;
    if (!this.ready) return this.#show(this.moment.frames.length);
    if (this.isLast) this.finished = true;
    else {
      if (this.lesson.moments[this.at + 1]!.jumps) this.scene++;
      this.#enter(this.at + 1);
    }
  }

  /** Plays an action of the reader; another than the moment wants changes nothing but what is said. */
  play(action: unknown): boolean {
    if (this.asked !== 'act' || !this.ready) return false;
    const answer = this.moment.answers.find((one) => sameAction(one.action, action));
    if (!answer) {
      this.wrong = true;
      this.tries++;
      return false;
    }
    this.#take(answer);
    return true;
  }

  /** Plays the wanted action for the reader. */
  showMe(): void {
    const answer = this.moment.answers[0];
    if (this.asked === 'act' && answer) this.#take(answer);
  }

  preview(action: unknown): PreviewFrame | null {
    const known = this.moment.previews.find((one) => sameAction(one.action, action));
    return known ? { type: 'preview', reply: 0, preview: known.preview, refusal: null } : null;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #take(answer: LessonAnswer): void {
    this.#show(this.moment.frames.length);
    this.#answer = answer;
    this.wrong = false;
    if (!this.moment.done && !this.isLast) this.#enter(this.at + 1);
  }

  #enter(at: number): void {
    this.at = at;
    this.#answer = null;
    this.wrong = false;
    this.tries = 0;
    this.#show(this.moment.jumps ? 1 : 0);
  }

  /** Lays a number of the moment's frames on the board, and the others one after the other. */
  #show(count: number): void {
    this.stop();
    this.#shown = count;
    if (!this.ready) this.#timer = setTimeout(() => this.#show(count + 1), this.#pace());
  }
}
