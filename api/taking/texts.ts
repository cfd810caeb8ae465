import type { LanguageCode } from '../../db/platform/vocabulary';
import { textReader } from '../platform/text/text-reader';
import type { TextTable } from '../platform/text/text-reader';
import ar from './texts/ar.json';
import bg from './texts/bg.json';
import br from './texts/br.json';
import cs from './texts/cs.json';
import da from './texts/da.json';
import de from './texts/de.json';
import el from './texts/el.json';
import en from './texts/en.json';
import es from './texts/es.json';
import fi from './texts/fi.json';
import fil from './texts/fil.json';
import fr from './texts/fr.json';
import hi from './texts/hi.json';
import hr from './texts/hr.json';
import hu from './texts/hu.json';
import id from './texts/id.json';
import it from './texts/it.json';
import ja from './texts/ja.json';
import ko from './texts/ko.json';
import ms from './texts/ms.json';
import nl from './texts/nl.json';
import no from './texts/no.json';
import pl from './texts/pl.json';
import pt from './texts/pt.json';
import ro from './texts/ro.json';
import ru from './texts/ru.json';
import sk from './texts/sk.json';
import sv from './texts/sv.json';
import ta from './texts/ta.json';
import th from './texts/th.json';
import tr from './texts/tr.json';
import uk from './texts/uk.json';
import vi from './texts/vi.json';
import zh from './texts/zh.json';

export type TakingText = keyof typeof en;
/** Reads the texts of the candidate's pages in one language. */
export type TakingTexts = ReturnType<typeof takingTexts>;

/** The texts of the candidate's pages in every language. */
export const takingTextTable: TextTable<TakingText> = {
  ar,
  bg,
  br,
  cs,
  da,
  de,
  el,
  en,
  es,
  fi,
  fil,
  fr,
  hi,
  hr,
  hu,
  id,
  it,
  ja,
  ko,
  ms,
  nl,
  no,
  pl,
  pt,
  ro,
  ru,
  sk,
  sv,
  ta,
  th,
  tr,
  uk,
  vi,
  zh,
};

/** Returns the texts of the candidate's pages in this language. */
export const takingTexts = (language: LanguageCode) => textReader(takingTextTable, language);
