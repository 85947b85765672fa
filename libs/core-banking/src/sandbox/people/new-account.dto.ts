import { findCurrency } from '@xs2a/domain/money/currencies';
import { IsDefined, IsIn, ValidateBy, type ValidationArguments } from 'class-validator';
import { sandboxAmount } from '../ledger/sandbox-amount.js';

/** Product names by ISO 20022 cash account type. Only current and savings accounts can be opened. */
export const productNames: Readonly<Record<string, string>> = {
  CACC: 'Разплащателна сметка',
  SVGS: 'Спестовна сметка',
};

const isOffered = (currency: unknown): currency is string =>
  typeof currency === 'string' && findCurrency(currency) !== undefined;

const IsOfferedCurrency = (): PropertyDecorator =>
  ValidateBy(
    { name: 'isOfferedCurrency', validator: { validate: isOffered } },
    { message: 'Send a currency that the bank offers.' },
  );

/** Parses the amount into minor units of the account's currency, or returns a text that describes the error. */
const amountIn = (account: object, value: unknown): number | string => {
  const currency: unknown = Reflect.get(account, 'currency');
  return sandboxAmount(value, isOffered(currency) ? currency : 'EUR', true);
};

export const IsAmount = (): PropertyDecorator =>
  ValidateBy({
    name: 'isAmount',
    validator: {
      validate: (value, args) => typeof amountIn(args?.object ?? {}, value) === 'number',
      defaultMessage: (args?: ValidationArguments) => String(amountIn(args?.object ?? {}, args?.value)),
    },
  });

/** An account in the body of `POST /sandbox/psus` (contract 13), with amounts in major units. */
export class NewAccountDto {
  @IsDefined()
  @IsOfferedCurrency()
  readonly currency!: string;

  @IsDefined()
  @IsAmount()
  readonly opening!: string;

  @IsAmount()
  readonly creditLimit?: string;

  @IsIn(Object.keys(productNames), { message: 'Send CACC or SVGS.' })
  readonly type?: string;
}
