import type { LanguageCode } from '../../db/platform/vocabulary';
import type { TextTable } from '../platform/text/text-reader';
import ar from './consent/2026-11-23/ar.json';
import bg from './consent/2026-11-23/bg.json';
import br from './consent/2026-11-23/br.json';
import cs from './consent/2026-11-23/cs.json';
import da from './consent/2026-11-23/da.json';
import de from './consent/2026-11-23/de.json';
import el from './consent/2026-11-23/el.json';
import en from './consent/2026-11-23/en.json';
import es from './consent/2026-11-23/es.json';
import fi from './consent/2026-11-23/fi.json';
import fil from './consent/2026-11-23/fil.json';
import fr from './consent/2026-11-23/fr.json';
import hi from './consent/2026-11-23/hi.json';
import hr from './consent/2026-11-23/hr.json';
import hu from './consent/2026-11-23/hu.json';
import id from './consent/2026-11-23/id.json';
import it from './consent/2026-11-23/it.json';
import ja from './consent/2026-11-23/ja.json';
import ko from './consent/2026-11-23/ko.json';
import ms from './consent/2026-11-23/ms.json';
import nl from './consent/2026-11-23/nl.json';
import no from './consent/2026-11-23/no.json';
import pl from './consent/2026-11-23/pl.json';
import pt from './consent/2026-11-23/pt.json';
import ro from './consent/2026-11-23/ro.json';
import ru from './consent/2026-11-23/ru.json';
import sk from './consent/2026-11-23/sk.json';
import sv from './consent/2026-11-23/sv.json';
import ta from './consent/2026-11-23/ta.json';
import th from './consent/2026-11-23/th.json';
import tr from './consent/2026-11-23/tr.json';
import uk from './consent/2026-11-23/uk.json';
import vi from './consent/2026-11-23/vi.json';
import zh from './consent/2026-11-23/zh.json';

/**
 * The texts of the current version (consent-version.ts): what a candidate consents to, and the label of the box to
 * tick. The texts are never edited, because the version is stored with every attempt. A changed text gets a new
 * version in a new folder.
 */
export const consentTexts: TextTable<keyof typeof en> = {
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

/** Returns the consent text in this language. */
export const consentText = (language: LanguageCode): Record<keyof typeof en, string> =>
  consentTexts[language];
