import type {
  ChargeBearer,
  paymentCategories,
  regulatoryReportTypes,
  ServiceLevel,
  taxpayerTypes,
} from '@xs2a/domain/payment/fields/code-tables';

/** The codes of spec 2.4 in words, in one language. */
export interface CodeWords {
  readonly serviceLevel: Readonly<Record<ServiceLevel, string>>;
  readonly chargeBearer: Readonly<Record<ChargeBearer, string>>;
  readonly reportType: Readonly<Record<keyof typeof regulatoryReportTypes, string>>;
  readonly taxpayerType: Readonly<Record<keyof typeof taxpayerTypes, string>>;
  readonly category: Readonly<Record<keyof typeof paymentCategories, string>>;
  /** Balance-of-payments purpose codes; all 81. */
  readonly purpose: Readonly<Record<string, string>>;
}
