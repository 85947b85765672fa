import type { BankBrand } from '@xs2a/domain/profile/bank-brand';
import type { Profile } from '@xs2a/domain/profile/profile';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { renderStyle } from './style.js';

/** A file that the pages refer to; `version` is in its address, so that browsers may cache it indefinitely. */
interface LookFile {
  readonly content: Buffer;
  readonly mediaType: string;
  readonly version: string;
}

/** What the bank's profile and the settings say about the look of every page. */
export interface BankLook extends Pick<BankBrand, 'name' | 'phone'> {
  /** The origin of the pages, which customers compare with the address bar. */
  readonly origin: string;
  readonly helpUrl?: string;
  readonly privacyUrl?: string;
  /** The page with the sandbox's user names and code; absent in production. */
  readonly sandboxUrl?: string;
  readonly files: Readonly<Record<'style.css' | 'logo' | 'favicon', LookFile>>;
}

export interface LookSettings {
  readonly BASE_URL: string;
  readonly PAGES_URL?: string;
  readonly PROFILE_FILE: string;
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
};
const maxBytes = 65_536;

const toFile = (content: Buffer, extension: string): LookFile => ({
  content,
  mediaType: mediaTypes[extension] ?? '',
  version: createHash('sha256').update(content).digest('hex').slice(0, 12),
});

/**
 * Reads the look of the pages. Throws if a picture that the profile names cannot be read or has more than 64 KiB,
 * which stops the start.
 */
export const readBankLook = (
  { environment, bank }: Pick<Profile, 'environment' | 'bank'>,
  { BASE_URL, PAGES_URL = BASE_URL, PROFILE_FILE }: LookSettings,
): BankLook => {
  const picture = (field: 'logoFile' | 'favicon', file: string): LookFile => {
    try {
      const content = readFileSync(join(dirname(PROFILE_FILE), file));
      if (content.length <= maxBytes) return toFile(content, extname(file));
    } catch (error) {
      throw new Error(`Profile field "bank.${field}" must name a file that can be read.`, { cause: error });
    }
    throw new Error(`Profile field "bank.${field}" must name a file of at most 64 KiB.`);
  };
  const link = (url: string | undefined): string | undefined => url && new URL(url, BASE_URL).href;
  return {
    name: bank.name,
    phone: bank.phone,
    origin: new URL(PAGES_URL).origin,
    helpUrl: link(bank.helpUrl),
    privacyUrl: link(bank.privacyUrl),
    sandboxUrl: environment === 'sandbox' ? link('/') : undefined,
    files: {
      'style.css': toFile(Buffer.from(renderStyle(bank)), '.css'),
      logo: picture('logoFile', bank.logoFile),
      favicon: picture('favicon', bank.favicon ?? bank.logoFile),
    },
  };
};

/**
 * Returns a function that reads the look of the pages again once the bank has switched to a profile with another brand
 * (contract-euro E6.1). Throws at once as {@link readBankLook} does.
 */
export const followBankLook = (profile: Pick<Profile, 'environment' | 'bank'>, settings: LookSettings) => {
  let read = { bank: profile.bank, look: readBankLook(profile, settings) };
  return (): BankLook => {
    if (read.bank !== profile.bank) read = { bank: profile.bank, look: readBankLook(profile, settings) };
    return read.look;
  };
};

/** The address of a file of the look. */
export const lookPath = ({ files }: BankLook, name: keyof BankLook['files']): string =>
  `/sca/${name}?v=${files[name].version}`;
