// Every sentence of every game with the reader as its subject. The tables name all kinds of actions and events, so a new
// one does not compile without its sentence here.
import { afterEach, describe as group, expect, it } from 'vitest';
import type { Describe, GameEvent } from '../core/game';
import type { Moment } from '../core/moments';
import type { Step } from '../core/types.gen';
import { lang, LANGUAGES } from '../i18n';
import * as dames from './dames/describe';
import * as damesExamples from './dames/examples';
import type * as Dames from './dames/types.gen';
import { wrongVerbs } from './grammar';
import * as kora from './kora/describe';
import * as koraExamples from './kora/examples';
import type * as Kora from './kora/types.gen';
import * as ojyx from './ojyx/describe';
import * as ojyxExamples from './ojyx/examples';
import { promptFor } from './ojyx/prompt';
import { stateWords } from './ojyx/states';
import { movesOf } from './ojyx/turns';
import type * as Ojyx from './ojyx/types.gen';
import * as president from './president/describe';
import * as presidentExamples from './president/examples';
import { plateWords } from './president/plate';
import type * as President from './president/types.gen';
import * as scrabble from './scrabble/describe';
import * as scrabbleExamples from './scrabble/examples';
import type * as Scrabble from './scrabble/types.gen';

const who = (seat: number) =>
  seat === 0 ? { fr: 'vous', en: 'you' }[lang.current] : ['', 'Paul', 'Zoé', 'Luc'][seat]!;

type Context = Parameters<Describe<never>>[0];

interface Told {
  describe: Describe<never>;
  event?: (context: Context) => GameEvent | null;
  moment?: (context: Context) => Moment | null;
}

/** The sentences for a step, on the cloth and in the list of moves, and what a replay calls it. */
const told = ({ describe, event, moment }: Told, step: Step, view: unknown, previous: unknown) => {
  const context = { step, view: view as never, previous: previous as never, who, seat: 0 };
  return [describe(context), event?.(context)?.text, moment?.(context)?.text].filter(
    (text) => typeof text === 'string',
  );
};

afterEach(() => (lang.current = 'fr'));

/** Checks texts in both languages; unless they name nobody, at least one of them must speak to the reader. */
function check(name: string, texts: () => string[], namesNobody = false) {
  it.each(LANGUAGES)(`${name}, in %s`, (language) => {
    lang.current = language;
    const all = texts();
    expect(all.flatMap(wrongVerbs)).toEqual([]);
    expect(all.some((text) => /\b(vous|votre|vos|you|your)\b/i.test(text))).toBe(!namesNobody);
  });
}

group('the check itself', () => {
  it('finds the wrong person and leaves the right one', () => {
    expect(wrongVerbs('Vous attaque avec Vol\u202f: contre Paul.')).toEqual(['Vous attaque']);
    expect(wrongVerbs('Manche 1\u202f: vous choisit.')).toEqual([': vous choisit']);
    expect(wrongVerbs('Vous et Zoé contestent.')).toEqual(['Vous et Zoé contestent']);
    expect(wrongVerbs('Vous, Luc et Zoé contestent.')).toEqual(['Vous, Luc et Zoé contestent']);
    expect(wrongVerbs('Vous, Luc et Zoé contestez. Paul vous prend une carte. Vous y voyez 9. À vous.')).toEqual([]);
    lang.current = 'en';
    expect(wrongVerbs('You attacks with Steal.')).toEqual(['You attacks']);
    expect(wrongVerbs('You pass. Paul gives you cards. You have voted.')).toEqual([]);
  });
});

group('Dames', () => {
  const { step, view, played } = damesExamples;
  const over = (winner: number | null, reason: Dames.Result['reason']) => view({ result: { reason, winner } });
  const STEPS: Record<Dames.Action['type'], () => string[]> = {
    move: () => [
      ...told(dames, damesExamples.move(0, 32, 28), view({ last_move: played(0, [32, 28]) }), view()),
      ...told(dames, damesExamples.move(0, 32, 28), view(), null),
      ...[1, 2].flatMap((count) => {
        const last_move = played(0, [19, 28, 30], {
          captured: [23, 24].slice(0, count),
          points: count,
          promoted: true,
        });
        return told(dames, damesExamples.move(0, 19, 28, 30), { ...over(0, 'blocked'), last_move }, view());
      }),
    ],
    lose_turn: () => told(dames, step(0, { type: 'lose_turn' }, 'clock'), view(), view()),
    offer_draw: () => told(dames, step(0, { type: 'offer_draw' }), view({ offered_by: 0 }), view()),
    accept_draw: () => told(dames, step(0, { type: 'accept_draw' }), over(null, 'agreement'), view()),
    decline_draw: () => told(dames, step(0, { type: 'decline_draw' }), view(), view({ offered_by: 1 })),
    resign: () => told(dames, step(0, { type: 'resign' }), over(1, 'resign'), view()),
    leave: () => told(dames, step(0, { type: 'leave' }, 'leave'), { ...over(1, 'resign'), left: 0 }, view()),
    flag: () => told(dames, step(0, { type: 'flag', clock: 'player' }), over(1, 'player_timeout'), view()),
  };
  for (const [type, texts] of Object.entries(STEPS)) check(type, texts);
});

group('Kora', () => {
  const { step, view, play, result, TRICKS } = koraExamples;
  const bet = view({ stage: 'answer', stake: 1, table_stake: 10 });
  const STEPS: Record<Kora.Action['type'], () => string[]> = {
    play: () => [
      ...told(kora, play(0, '7H'), view({ led: '7H' }), view()),
      ...told(
        kora,
        play(0, '3S'),
        view({ deal: 2, won: [20], last_deal: result() }),
        view({ tricks: TRICKS, led: '2S' }),
      ),
      ...told(kora, play(1, '5H'), view({ tricks: TRICKS.slice(0, 1) }), view({ led: '7H' })),
    ],
    propose: () => told(kora, step(0, { type: 'propose', stake: 2 }), bet, view()),
    accept: () => [bet, null].flatMap((before) => told(kora, step(0, { type: 'accept' }), view(), before)),
    refuse: () => [bet, null].flatMap((before) => told(kora, step(0, { type: 'refuse' }), view(), before)),
    leave: () => told(kora, step(0, { type: 'leave' }, 'leave'), view({ stage: 'over', left: 0 }), view()),
  };
  for (const [type, texts] of Object.entries(STEPS)) check(type, texts);
});

group('Scrabble', () => {
  const { step, view, played, last, move, moveOf } = scrabbleExamples;
  const word = played('H8', 'MAISONS');
  const laid = view({ log: [moveOf(0, word)], last: last(0, word) });
  const pending = { play: word, answered: [], waiting: [0], mine: null };
  const open = (seat: number) => view({ stage: 'challenge', pending: { ...pending, seat } });
  const closed = (seat: number, contesters: number[], invalid: string[]) =>
    view({
      log: [moveOf(seat, word, { contesters, invalid })],
      last: last(seat, word, { contesters, invalid, withdrawn: invalid.length > 0 }),
    });
  const final = (adjustments: number[]) => ({
    ...laid,
    final: { ending: 'out' as const, racks: ['', 'E'], adjustments },
  });
  const place = { type: 'place' as const, at: 'H8', word: 'MAISONS' };
  const short = played('H8', 'MA');
  const STEPS: Record<Scrabble.Action['type'], () => string[]> = {
    place: () => [
      ...told(scrabble, step(0, place), laid, view()),
      ...told(scrabble, step(0, place), view(), null),
      ...[
        [9, -9],
        [-9, 9],
      ].flatMap((change) => told(scrabble, step(0, place), final(change), view())),
      ...told(
        scrabble,
        step(0, { type: 'place', at: 'H8', word: 'MA' }),
        { ...final([0, 0]), last: last(0, short), log: [moveOf(0, short)] },
        view(),
      ),
    ],
    exchange: () =>
      ['A', 'AB'].flatMap((tiles) =>
        told(scrabble, step(0, { type: 'exchange', tiles }), view({ log: [move(0, { kind: 'exchange' })] }), view()),
      ),
    pass: () => told(scrabble, step(0, { type: 'pass' }, 'clock'), view({ log: [move(0)] }), view()),
    challenge: () => [
      ...told(scrabble, step(0, { type: 'challenge' }), open(1), open(1)),
      ...[[0], [0, 2], [0, 2, 3]].flatMap((contesters) =>
        [[], ['MAISONS']].flatMap((invalid) =>
          told(scrabble, step(0, { type: 'challenge' }), closed(1, contesters, invalid), open(1)),
        ),
      ),
      ...told(scrabble, step(1, null), closed(0, [1], ['MAISONS']), open(0)),
    ],
    accept: () => told(scrabble, step(0, { type: 'accept' }), open(1), open(1)),
    leave: () => told(scrabble, step(0, { type: 'leave' }, 'leave'), view({ left: [0] }), view()),
  };
  for (const [type, texts] of Object.entries(STEPS)) check(type, texts);
});

group('Super Président', () => {
  const { step, view, laid, finished, seatView } = presidentExamples;
  const result = (ranking: number[], sunk: number[]) => ({ ranking, sunk, points: [0, 0, 0, 0, 0] });
  const ends = (ranking: number[], sunk: number[] = []) => view({ manche: 2, results: [result(ranking, sunk)] });
  const out = (change: Partial<President.SeatView>) => view({ seats: view().seats.with(0, seatView(change)) });
  const plays = (declare: President.Play['declare']) => step(0, { type: 'play', cards: ['7S'], declare });
  const close = step(0, { type: 'close', cards: ['7H', '7D', '7C'] });
  const closed = (out_of_turn: boolean) =>
    view({ last_trick: finished('four', { ...laid(0, '7H', '7D', '7C'), out_of_turn }) });
  const gifts = [
    { giver: 0, receiver: 1, count: 2, cards: ['3S', '4S'] },
    { giver: 1, receiver: 0, count: 2, cards: ['AS', '2S'] },
  ];
  const STEPS: Record<President.Action['type'], () => string[]> = {
    play: () => [
      ...[null, 'suite' as const, 'reverse' as const].flatMap((declare) =>
        told(president, plays(declare), view({ trick: [laid(0, '7S')] }), view()),
      ),
      ...told(president, plays(null), out({ cards: 0, place: 1 }), view()),
      ...told(president, plays(null), out({ cards: 0, sunk: true }), view()),
      ...told(president, plays(null), ends([0, 1, 2, 3, 4]), view()),
      ...told(president, plays(null), ends([1, 2, 3, 4, 0], [0]), view()),
    ],
    close: () => [false, true].flatMap((outOfTurn) => told(president, close, closed(outOfTurn), view())),
    pass: () => told(president, step(0, { type: 'pass' }), view(), view()),
    stop: () => told(president, step(0, { type: 'stop' }), view(), view()),
    give: () =>
      told(
        president,
        step(0, { type: 'give', cards: ['3S'] }),
        view({ gifts }),
        view({ stage: 'exchange', gifts: [] }),
      ),
    leave: () => told(president, step(0, { type: 'leave' }), view(), view()),
  };
  for (const [type, texts] of Object.entries(STEPS)) check(type, texts);

  const TITLES = ['president', 'vice_president', 'neutre', 'avant_dernier', 'trouduc', null] as const;
  const STAGES = ['alone', 'exchange', 'over', 'play'] as const satisfies readonly President.View['stage'][];
  const states: Partial<President.SeatView>[] = [
    {},
    { out: true },
    { waived: true },
    { sunk: true },
    { place: 1 },
    { place: 5 },
  ];
  const plates = () =>
    STAGES.flatMap((stage) =>
      TITLES.flatMap((title) =>
        states.flatMap((state) =>
          [[0], [1]].flatMap((waiting) =>
            [true, false].map((asleep) => {
              const now = { ...out({ title, ...state }), stage, waiting };
              return plateWords(now, 0, { own: true, large: true, asleep });
            }),
          ),
        ),
      ),
    );

  check('one’s own plate', () =>
    plates()
      .map((words) => `${{ fr: 'Vous', en: 'You' }[lang.current]} ${words}`.trim())
      .filter((words) => !/ (à vous|your turn|\p{Lu})/u.test(words)),
  );

  it('a plate never says a thing twice', () => {
    for (const words of plates()) {
      const parts = words.split(' · ');
      expect(new Set(parts).size, words).toBe(parts.length);
    }
  });
});

group('Ojyx', () => {
  const { event, step, view, seatView } = ojyxExamples;
  const happened = (...events: Ojyx.Event[]) => told(ojyx, step(0, null), view({ events }), view());
  const EVENTS: Record<Ojyx.Event['kind'], () => string[]> = {
    answered: () =>
      (['accept', 'mirror', 'shield'] as const).flatMap((answer) => happened(event('answered', { seat: 0, answer }))),
    cleared: () => happened(event('cleared', { seat: 0, column: 1, card: 7 })),
    discarded: () => happened(event('discarded', { seat: 0, card: 7 })),
    drawn: () => [1, 2].flatMap((count) => happened(event('drawn', { seat: 0, count }))),
    drew: () =>
      (['action', 'deck', 'discard'] as const).flatMap((source) => {
        const held = { seat: 0, source, card: 3, action: source === 'action' ? ('swap' as const) : null, known: 0 };
        return told(ojyx, step(0, null), view({ held, events: [event('drew', { seat: 0, source, card: 3 })] }), view());
      }),
    ending: () => happened(event('ending', { seat: 0 })),
    hit: () => [
      ...happened(
        event('answered', { seat: 1, answer: 'mirror' }),
        event('hit', { seat: 1, target: 0, action: 'curse', column: 3 }),
      ),
      ...told(
        ojyx,
        step(0, null),
        view({
          seats: view().seats.with(1, seatView({ peeked: [{ cell: 4, by: [0], card: 9 }] })),
          events: [event('hit', { seat: 0, target: 1, action: 'peek', target_cell: 4 })],
        }),
        view(),
      ),
    ],
    left: () => happened(event('left', { seat: 0 })),
    lost: () => happened(event('lost', { seat: 0, action: 'swap' })),
    manche: () =>
      told(
        ojyx,
        step(0, null),
        view({ events: [event('manche')], results: [{ scores: [4, 2, 3], initiator: 0, doubled: true }] }),
        view(),
      ),
    moved: () => happened(event('moved', { seat: 0, cell: 0, target: 1, target_cell: 2 })),
    placed: () => happened(event('placed', { seat: 0, cell: 5, card: 7, old: 12 })),
    played: () => [
      ...happened(event('played', { seat: 0, action: 'skip' })),
      ...happened(event('played', { seat: 0, action: 'duplicate', repeats: 'skip' })),
      ...happened(event('played', { seat: 0, action: 'swap', target: 1, cell: 0, target_cell: 5 })),
      ...happened(event('played', { seat: 0, action: 'teleport', cells: [0, 1] })),
      ...happened(event('played', { seat: 1, action: 'curse', target: 0, column: 1 })),
      ...happened(event('played', { seat: 1, action: 'steal', target: 0 })),
    ],
    refilled: () => happened(event('refilled', { source: 'deck' })),
    reversed: () => [1, -1].flatMap((direction) => happened(event('reversed', { direction }))),
    shuffled: () => happened(event('shuffled', { seat: 0 })),
    skipped: () => happened(event('skipped', { seat: 0 })),
    stolen: () => [
      ...happened(event('stolen', { seat: 0, target: 1 })),
      ...happened(event('stolen', { seat: 1, target: 0 })),
    ],
    stored: () => happened(event('stored', { seat: 0 })),
    thrown: () => happened(event('thrown', { seat: 0, action: 'swap' })),
    turned: () => happened(event('turned', { seat: 0, cell: 3, card: 4 })),
    void: () => happened(event('void', { seat: 0, target: 1, action: 'swap' })),
    voted: () => [true, false, null].flatMap((go_on) => happened(event('voted', { seat: 0, go_on }))),
  };
  const NAMES_NOBODY = new Set(['discarded', 'moved', 'refilled', 'reversed', 'void']);
  for (const [kind, texts] of Object.entries(EVENTS)) check(kind, texts, NAMES_NOBODY.has(kind));

  check('steps without an event', () => [
    ...told(ojyx, step(0, { type: 'choose', cells: [0, 1] }), view({ stage: 'choose' }), view({ stage: 'choose' })),
    ...told(ojyx, step(0, { type: 'vote', go_on: true }), view({ stage: 'vote' }), view({ stage: 'vote' })),
    ...told(ojyx, step(0, { type: 'end_turn' }), view({ to_act: 1 }), view()),
    ...told(ojyx, step(0, { type: 'action', card: 'scout', order: [0, 1] }), view(), view()),
    ...told(ojyx, step(0, { type: 'action', card: 'skip' }), view(), null),
    ...told(ojyx, step(0, { type: 'leave' }), view(), null),
    ...told(
      ojyx,
      step(1, null),
      view({ events: [event('turned', { seat: 1, cell: 0, card: 4 })] }),
      view({ stage: 'choose' }),
    ),
  ]);

  const STAGES: Record<Ojyx.View['stage'], true> = {
    action: true,
    choose: true,
    decide: true,
    draw: true,
    gift: true,
    over: true,
    play: true,
    react: true,
    scout: true,
    turn: true,
    vote: true,
  };
  const stages = Object.keys(STAGES) as Ojyx.View['stage'][];
  const attack = { seat: 0, target: 1, card: 'curse' as const, cell: null, target_cell: null, column: 2 };

  check('the prompt while others act', () =>
    stages.map((stage) =>
      promptFor(view({ stage, waiting: [1], attack: stage === 'react' ? attack : null }), 0, movesOf(null), null, who),
    ),
  );

  check('one’s own plate', () => {
    const you = { fr: 'Vous', en: 'You' }[lang.current];
    return stages.flatMap((stage) =>
      [{ ready: true }, { ready: false }, { gone: true }].flatMap((state) =>
        [[0], [1]]
          .map((waiting) =>
            stateWords(view({ stage, waiting, seats: view().seats.with(0, seatView(state)) }), 0, 0, false),
          )
          .filter((words) => !/^(\d|à vous|your turn)/.test(words))
          .map((words) => `${you} ${words}`),
      ),
    );
  });
});
