import type { BankBrand } from '@xs2a/domain/profile/bank-brand';
import { createHash } from 'node:crypto';
import { renderStyle } from './style.js';

/** The bank's name, logo and stylesheet, as used on every page. */
export interface BankLook {
  readonly name: BankBrand['name'];
  readonly logo: string;
  readonly style: string;
  /** Included in the stylesheet's address, so that browsers may cache the stylesheet indefinitely. */
  readonly styleHash: string;
}

export const bankLook = (brand: BankBrand): BankLook => {
  const style = renderStyle(brand);
  const styleHash = createHash('sha256').update(style).digest('hex').slice(0, 12);
  return { name: brand.name, logo: brand.logo, style, styleHash };
};
