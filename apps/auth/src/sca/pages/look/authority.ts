import { locales } from '@xs2a/html/figures';
import type { Language } from '../../catalogue/catalogue.js';
import { catalogues } from '../../catalogue/catalogues.js';

const form = /^PSD([A-Z]{2})-([A-Z]{2,8})-/;

/**
 * The authority that supervises a TPP, by the identifier in its certificate (ETSI TS 119 495, 5.2.1): the Bulgarian
 * one by name, others by their code and country.
 */
export const authorityText = (identifier: string, language: Language): string => {
  const [, country = '', authority = ''] = form.exec(identifier) ?? [];
  const { bulgarianNationalBank } = catalogues[language].who;
  if (country === 'BG' && authority === 'BNB') return bulgarianNationalBank;
  if (country === '') return identifier;
  const name = new Intl.DisplayNames(locales[language], { type: 'region' }).of(country) ?? country;
  return `${authority} (${name})`;
};
