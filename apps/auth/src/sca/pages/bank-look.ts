import type { BankBrand } from '@xs2a/domain/profile/bank-brand';
import { createHash } from 'node:crypto';
import { renderStyle } from './style.js';

/** The bank's name, logo and stylesheet, which every page has. */
export interface BankLook {
  readonly name: BankBrand['name'];
  readonly logo: string;
  readonly style: string;
  /** Part of the stylesheet's address, so that a browser may keep it for good. */
  readonly styleHash: string;
}

export const bankLook = (brand: BankBrand): BankLook => {
  const style = renderStyle(brand);
  const styleHash = createHash('sha256').update(style).digest('hex').slice(0, 12);
  return { name: brand.name, logo: brand.logo, style, styleHash };
};
