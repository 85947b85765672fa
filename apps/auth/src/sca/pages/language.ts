import Negotiator from 'negotiator';
import { locales } from '@xs2a/html/figures';
import { type Language, languages } from '../catalogue/catalogue.js';

const parseLanguage = (text: unknown): Language | undefined =>
  languages.find((language) => language === text);

/**
 * The supported language that the browser prefers most; undefined if the header names no supported language (RFC
 * 9110 §12.5.4).
 */
export const acceptedLanguage = (header = ''): Language | undefined =>
  parseLanguage(new Negotiator({ headers: { 'accept-language': header } }).language([...languages]));

/**
 * Chooses the language by `?lang`, then the PSU's last choice, then Accept-Language; the default is Bulgarian
 * (contract 12).
 */
export const chooseLanguage = (choice: {
  readonly query?: unknown;
  readonly psu?: Language;
  readonly accept?: string;
}): Language => parseLanguage(choice.query) ?? choice.psu ?? acceptedLanguage(choice.accept) ?? 'bg';

export const isLanguage = (text: unknown): text is Language => parseLanguage(text) !== undefined;

/** The time of day of an ISO instant, in the bank's time zone. */
export const timeText = (iso: string, language: Language, timeZone: string): string =>
  new Intl.DateTimeFormat(locales[language], { timeStyle: 'short', timeZone }).format(Date.parse(iso));

/**
 * An ISO date or instant in the format of the language, in the bank's time zone. The Bulgarian "г." stays on the line of
 * its year.
 */
export const dateText = (iso: string, language: Language, timeZone: string): string => {
  const isDay = iso.length === 10;
  return new Intl.DateTimeFormat(locales[language], {
    dateStyle: 'long',
    timeStyle: isDay ? undefined : 'short',
    timeZone: isDay ? 'UTC' : timeZone,
  })
    .format(Date.parse(iso))
    .replace(' г.', '\u00a0г.');
};
