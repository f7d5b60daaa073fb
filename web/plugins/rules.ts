import { Marked } from 'marked';
import type { Plugin } from 'vite';

const CARD = /(?:<code>)?(?<!\w)(10|[2-9]|[AVDRJQK])([♠♥♦♣])(?:<\/code>)?/g;

/** Turn `10♥` in running text into a small card. */
export function miniCards(html: string): string {
  return html.replace(CARD, (_, rank: string, suit: string) => {
    const colour = suit === '♥' || suit === '♦' ? 'red' : 'black';
    return `<span class="mini-card ${colour}" data-suit="${suit}">${rank}${suit}</span>`;
  });
}

const CLAUSE = / \(([A-Z]\d+[a-z]?)\)/g;

/** Show the number of a rule, `(O2)`, in small type: it is there to be cited. */
export function quietClauses(html: string): string {
  return html.replace(CLAUSE, ' <small class="clause">$1</small>');
}

/** Letters in a row of a table beyond which a phone shows its cells below each other. */
const ROW = 44;

function slug(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** A rules page in Markdown, ready to be shown: its title, its chapters, and the body without the title. */
export function compileRules(markdown: string) {
  const chapters: { id: string; title: string }[] = [];
  let title = '';
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const inner = this.parser.parseInline(tokens);
        if (depth === 1 && !title) {
          title = text;
          return '';
        }
        const id = slug(text);
        if (depth === 2) chapters.push({ id, title: text });
        return `<h${depth} id="${id}">${inner}</h${depth}>\n`;
      },
      table({ header, rows, align }) {
        const longest = (at: number) => Math.max(...[header, ...rows].map((row) => row[at]!.text.length));
        const letters = header.reduce((sum, _, at) => sum + longest(at), 0);
        const stacks = header.length > 2 && letters > ROW;
        const cell = (tag: string, at: number, tokens: (typeof header)[number]['tokens']) => {
          const side = align[at] ? ` style="text-align:${align[at]}"` : '';
          // A stacked cell names its column; the first cell names the row.
          const says = tag === 'th' ? ' scope="col"' : stacks && at ? ` data-column="${header[at]!.text}"` : '';
          return `<${tag}${says}${side}>${this.parser.parseInline(tokens)}</${tag}>`;
        };
        const head = header.map((one, at) => cell(one.text ? 'th' : 'td', at, one.tokens)).join('');
        const body = rows
          .map((row) => `<tr>${row.map((one, at) => cell('td', at, one.tokens)).join('')}</tr>`)
          .join('');
        // A wide table scrolls in its own box, and a box that scrolls is reachable by keyboard.
        return `<div class="wide${stacks ? ' stacks' : ''}" tabindex="0" role="group"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
      },
    },
  });
  const html = quietClauses(miniCards(marked.parse(markdown, { async: false })));
  return { title, chapters, html };
}

/** Lets the client import a Markdown page as `{ title, chapters, html }`, compiled while building. */
export function rulesPages(): Plugin {
  return {
    name: 'tablee-rules',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('.md')) return;
      return { code: `export default ${JSON.stringify(compileRules(code))};`, map: null };
    },
  };
}
