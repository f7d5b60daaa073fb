// What an action is called before it is played.
import type { GameClient } from '../../core/game';
import { figure, lang } from '../../i18n';
import { placeWords } from './grids';
import { targetWords } from './target';
import type { Action, View } from './types.gen';
import { t } from './words';

const places = (cells: readonly number[]) => new Intl.ListFormat(lang.current).format(cells.map(placeWords));

export const option: NonNullable<GameClient<View, Action>['option']> = (action, { view, actor, seat, who }) => {
  switch (action.type) {
    case 'draw':
      return t(`action.draw.${action.source}`, { value: view.discard === null ? '' : figure(view.discard) });
    case 'place':
      return t('action.place', { place: placeWords(action.cell) });
    case 'turn':
      return `${t('action.choose')} ${placeWords(action.cell)}`;
    case 'choose':
      return `${t('action.choose')} ${places(action.cells)}`;
    case 'discard':
      return t('action.discard');
    case 'store':
      return t('action.store');
    case 'throw':
      return `${t('action.throw')} ${t(`card.${action.card}`)}`;
    case 'end_turn':
      return t('action.end');
    case 'action': {
      const aim = targetWords({ ...action, seat: actor, target: action.seat ?? null }, seat, who);
      return [t(`card.${action.card}`), aim].filter(Boolean).join(', ');
    }
    case 'react':
      return t(`react.${action.answer}`);
    default:
      return null;
  }
};
