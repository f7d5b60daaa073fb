import { readFileSync } from 'node:fs';
import { render, screen, waitFor } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DealRecord, Draw } from '../../../core/fairness';
import { lang } from '../../../i18n';
import VerifyDeal from './VerifyDeal.svelte';

const { record, commit } = JSON.parse(readFileSync('../tests/core/fairness-vectors.json', 'utf-8')) as {
  record: DealRecord & { secret: string; salts: string[]; draws: Draw[] };
  commit: string;
};
const proof = { secret: record.secret, commit, salts: record.salts, seed: record.seed };
const fair = {
  proof,
  draws: record.draws,
  commitSeen: commit,
  ownSalt: 'c0ffee5a17',
  seat: 0,
  game: 'kora',
  who: (seat: number) => ['Zoé', 'Ordinateur'][seat] ?? '?',
};
const forged = record.draws.map((draw, at) => (at === 12 ? { ...draw, item: '7H' } : draw));
const given = record.draws[12]!.item!;

beforeEach(() => (lang.current = 'fr'));

const soon = { timeout: 20_000 };
const verdict = async (wanted: string) =>
  waitFor(() => expect(screen.getByTestId('verify').dataset.verdict).toBe(wanted), soon);
const found = () => [...document.querySelectorAll<HTMLElement>('.step')].map((step) => step.dataset.found);

describe('the check of a deal', () => {
  it('says that a fair deal is fair, and counts its cards', async () => {
    render(VerifyDeal, fair);
    await verdict('sound');
    expect(found()).toEqual(['ok', 'ok', 'ok', 'ok']);
    screen.getByText('30 cartes vérifiées');
    expect(screen.getByRole('progressbar')).toHaveProperty('value', record.draws.length);
    expect(screen.getByRole('status').textContent).toContain('Personne n’a pu la choisir');
  });

  it('lists what was drawn, when, and out of how many', async () => {
    render(VerifyDeal, fair);
    await verdict('sound');
    screen.getByText('Voir les 33 tirages');
    screen.getByText('Mise en place');
    expect(screen.getAllByText('parmi 52')).toHaveLength(3);
    expect(screen.getAllByText('Ordinateur').length).toBeGreaterThan(1);
    screen.getByText(record.seed);
  });

  it('names the place of a changed card', async () => {
    render(VerifyDeal, { ...fair, draws: forged });
    await verdict('wrong');
    const place = screen.getByTestId('verify-place').textContent;
    expect(place).toMatch(/^Coup 10, tirage 2\s: la liste dit sept de cœur, la graine donne /);
    expect(given).not.toBe('7H');
    expect(found()).toEqual(['ok', 'ok', 'ok', 'bad']);
    expect(document.querySelectorAll('.draws .bad')).toHaveLength(1);
    expect(document.querySelectorAll('.draws .later')).toHaveLength(record.draws.length - 13);
  });

  it('speaks English too', async () => {
    lang.current = 'en';
    render(VerifyDeal, { ...fair, draws: forged });
    await verdict('wrong');
    expect(screen.getByTestId('verify-place').textContent).toMatch(/^Move 10, draw 2: the list says seven of hearts, /);
  });

  it.each([
    ['another commitment', { commitSeen: 'f'.repeat(64) }, ['bad', 'ok', 'ok', 'ok']],
    ['another salt', { ownSalt: '00' }, ['ok', 'bad', 'ok', 'ok']],
    ['another secret', { proof: { ...proof, secret: 'another' } }, ['bad', 'ok', 'bad', 'ok']],
  ])('catches %s', async (_, change, marks) => {
    render(VerifyDeal, { ...fair, ...change });
    await waitFor(() => expect(found()).toEqual(marks), soon);
    await verdict('wrong');
  });

  it('says to a late spectator what cannot be checked', async () => {
    render(VerifyDeal, { ...fair, commitSeen: null, ownSalt: null, seat: null });
    await verdict('sound');
    expect(found()).toEqual(['none', 'none', 'ok', 'ok']);
    screen.getByText('Rien à redire, autant que l’on puisse voir d’ici.');
  });

  it('waits for the draws, and begins when they come', async () => {
    const { rerender } = render(VerifyDeal, { ...fair, draws: null });
    screen.getByText('La liste des tirages arrive…');
    await verdict('checking');
    await rerender({ draws: record.draws });
    await verdict('sound');
  });

  it('finds nothing wrong with a game without chance', async () => {
    render(VerifyDeal, { ...fair, draws: [] });
    await verdict('sound');
    screen.getByText('Rien n’a été tiré au sort.');
  });
});
