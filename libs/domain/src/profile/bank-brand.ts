import { isJsonObject, getMember } from '../form/form-checks.js';
import { isBic } from '../iban/bic.js';
import { isMaxText } from '../text/text.js';

/** The bank's branding on its pages, and the names and identifiers under which other banks know it. */
export interface BankBrand {
  /** ISO 9362 BIC of all the bank's accounts. */
  readonly bic: string;
  readonly name: { readonly bg: string; readonly en: string };
  /** `#rrggbb` colour that is readable on white. */
  readonly colour: string;
  /** `#rrggbb` colour that is readable on the background of the dark colour scheme. */
  readonly colourOnDark: string;
  /** The logo on the pages: an SVG or PNG file, named from the folder of the profile. */
  readonly logoFile: string;
  /** The icon in the browser's tab: an SVG, PNG or ICO file. If absent, the logo is used. */
  readonly favicon?: string;
  /** The number that customers call, as printed on the pages, for example `0700 12 345`. */
  readonly phone: string;
  /** Where the pages' links lead: an https URL, or a path on the public origin. If absent, there is no link. */
  readonly helpUrl?: string;
  readonly privacyUrl?: string;
}

/** The page backgrounds for the two colours, as in the stylesheet of the pages. */
export const paper = { light: '#ffffff', dark: '#17212b' } as const;
/** Minimum contrast ratio of text (WCAG 2.2, 1.4.3). */
const minContrast = 4.5;

const channel = (hex: string, at: number): number => {
  const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};
const luminance = (hex: string): number =>
  0.2126 * channel(hex, 1) + 0.7152 * channel(hex, 3) + 0.0722 * channel(hex, 5);

/** Contrast ratio of two `#rrggbb` colours, from 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const isReadable = (value: unknown, on: string): value is string =>
  typeof value === 'string' && /^#[0-9a-f]{6}$/.test(value) && contrast(value, on) >= minContrast;
const isFile = (value: unknown, endings: string): value is string =>
  typeof value === 'string' && new RegExp(`^(?:[\\w-]+/)*[\\w-]+\\.(?:${endings})$`).test(value);
const isPhone = (value: unknown): value is string =>
  typeof value === 'string' && /^\+?\d[\d ()/-]{2,28}\d$/.test(value);
const isAddress = (value: unknown): value is string =>
  typeof value === 'string' &&
  (/^\/(?![/\\])[\w/.-]*$/.test(value) || URL.parse(value)?.protocol === 'https:');

const members = new Set([
  'bic',
  'name',
  'colour',
  'colourOnDark',
  'logoFile',
  'favicon',
  'phone',
  'helpUrl',
  'privacyUrl',
]);

/**
 * Parses the bank's branding. Returns undefined if it is invalid: a missing text, an unreadable colour, a logo that
 * is not a picture, a number that cannot be dialled, or a link that is not https.
 */
export function parseBankBrand(json: unknown): BankBrand | undefined {
  if (!isJsonObject(json) || Object.keys(json).some((member) => !members.has(member))) return undefined;
  const name = getMember(json, 'name');
  if (!isJsonObject(name)) return undefined;
  const [bg, en] = [getMember(name, 'bg'), getMember(name, 'en')];
  const [colour, colourOnDark] = [getMember(json, 'colour'), getMember(json, 'colourOnDark')];
  const [bic, phone] = [getMember(json, 'bic'), getMember(json, 'phone')];
  const [logoFile, favicon] = [getMember(json, 'logoFile'), getMember(json, 'favicon')];
  const [helpUrl, privacyUrl] = [getMember(json, 'helpUrl'), getMember(json, 'privacyUrl')];
  if (!isBic(bic) || !isPhone(phone)) return undefined;
  if (!isMaxText(bg, 70) || !isMaxText(en, 70) || !isFile(logoFile, 'svg|png')) return undefined;
  if (favicon !== undefined && !isFile(favicon, 'svg|png|ico')) return undefined;
  if (helpUrl !== undefined && !isAddress(helpUrl)) return undefined;
  if (privacyUrl !== undefined && !isAddress(privacyUrl)) return undefined;
  if (!isReadable(colour, paper.light) || !isReadable(colourOnDark, paper.dark)) return undefined;
  return { bic, name: { bg, en }, colour, colourOnDark, logoFile, favicon, phone, helpUrl, privacyUrl };
}
