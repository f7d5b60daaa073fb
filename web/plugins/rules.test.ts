import { expect, it } from 'vitest';
import { compileRules, miniCards, quietClauses } from './rules.ts';

it('draws a small card for every rank and suit, in code or not', () => {
  expect(miniCards('<code>10♥</code>')).toBe('<span class="mini-card red" data-suit="♥">10♥</span>');
  expect(miniCards('la D♣ et le V♦')).toBe(
    'la <span class="mini-card black" data-suit="♣">D♣</span> et le <span class="mini-card red" data-suit="♦">V♦</span>',
  );
  expect(miniCards('pique ♠, 110♠')).toBe('pique ♠, 110♠');
});

it('takes the title and the chapters out of a page', () => {
  const page = compileRules('# Kora\n\nDébut.\n\n## Les règles\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n### Détail\n');
  expect(page.title).toBe('Kora');
  expect(page.chapters).toEqual([{ id: 'les-regles', title: 'Les règles' }]);
  expect(page.html).not.toContain('<h1');
  expect(page.html).toContain('<h2 id="les-regles">Les règles</h2>');
  expect(page.html).toContain('<th scope="col" style="text-align:right">b</th>');
});

it('shows the numbers of rules quietly', () => {
  expect(quietClauses('deux cartes (P8a). (voir)')).toBe('deux cartes <small class="clause">P8a</small>. (voir)');
});

it('stacks the cells of a table that would be too wide for a phone, and says their column', () => {
  const row = '| Troc | 4 | échangez une de vos cartes avec une carte d’un adversaire |';
  const { html } = compileRules(
    `# Ojyx\n\n| Carte | Nombre | Effet |\n|---|---|---|\n${row}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n`,
  );
  expect(html.match(/class="wide stacks"/g)).toHaveLength(1);
  expect(html).toContain('<td>Troc</td><td data-column="Nombre">4</td>');
});
