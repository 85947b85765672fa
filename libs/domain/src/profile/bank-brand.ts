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
  /** One SVG path in a 24 × 24 box, drawn in the bank's colour. */
  readonly logo: string;
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
const isPath = (value: unknown): value is string =>
  typeof value === 'string' && /^[Mm][\d\s,.A-Za-z-]{1,2000}$/.test(value);

const members = new Set(['bic', 'name', 'colour', 'colourOnDark', 'logo']);

/**
 * Parses the bank's branding. Returns undefined if it is invalid: a missing text, an unreadable colour, or a logo
 * that is not a path.
 */
export function parseBankBrand(json: unknown): BankBrand | undefined {
  if (!isJsonObject(json) || Object.keys(json).some((member) => !members.has(member))) return undefined;
  const name = getMember(json, 'name');
  if (!isJsonObject(name)) return undefined;
  const [bg, en] = [getMember(name, 'bg'), getMember(name, 'en')];
  const [colour, colourOnDark] = [getMember(json, 'colour'), getMember(json, 'colourOnDark')];
  const [bic, logo] = [getMember(json, 'bic'), getMember(json, 'logo')];
  if (!isBic(bic)) return undefined;
  if (!isMaxText(bg, 70) || !isMaxText(en, 70) || !isPath(logo)) return undefined;
  if (!isReadable(colour, paper.light) || !isReadable(colourOnDark, paper.dark)) return undefined;
  return { bic, name: { bg, en }, colour, colourOnDark, logo };
}
