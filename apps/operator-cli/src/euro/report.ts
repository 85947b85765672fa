import { formatAmount } from '@xs2a/domain/money/money';
import type { SwitchOverFigures } from '@xs2a/domain/switch-over/report';

/** What `xs2a euro switch` reports (contract E6.6). */
export interface SwitchOverReport extends SwitchOverFigures {
  readonly at: string;
  readonly dryRun: boolean;
  /**
   * The number of accounts that the bank's own core system was asked about. Absent with the sandbox ledger, and before
   * the work is done.
   */
  readonly accountsAsked?: number;
  /** Absent before the work is done. */
  readonly invariants?: string;
}

const written = (minor: number, currency: string): string => formatAmount({ minor, currency });

/** The report with its amounts as texts. */
export const reportJson = ({
  at,
  dryRun,
  accounts,
  payments,
  attention,
  accountsAsked,
  invariants,
}: SwitchOverReport) => ({
  at,
  dryRun,
  accounts: {
    converted: accounts.converted,
    bgn: written(accounts.bgn, 'BGN'),
    eur: written(accounts.eur, 'EUR'),
    roundingDifference: written(accounts.roundingDifference, 'EUR'),
  },
  payments,
  attention,
  ...(accountsAsked === undefined ? {} : { accountsAsked }),
  ...(invariants === undefined ? {} : { invariants }),
});

const coreBankText = (accountsAsked: number): string => {
  if (accountsAsked === 0) return 'not asked, because no payment or valid consent names an account';
  return accountsAsked === 1
    ? 'asked about 1 account, not in BGN'
    : `asked about ${accountsAsked} accounts, none is in BGN`;
};

/** The report as text. */
export const reportText = (report: SwitchOverReport): string => {
  const { at, dryRun, accounts, payments, attention, accountsAsked, invariants } = reportJson(report);
  return [
    dryRun ? `What the switch-over at ${at} would do:` : `✓ The bank switched to euro at ${at}.`,
    `  accounts: ${accounts.converted} converted, ${accounts.bgn} BGN to ${accounts.eur} EUR, rounding ${accounts.roundingDifference}`,
    `  payments: ${payments.settledBefore} settled in leva, ${payments.converted} payments, ${payments.orders} orders and ${payments.bulks} bulk payments converted, ${payments.rejectedUnsigned} unsigned ones rejected`,
    ...attention.map(({ paymentId }) => `  look at ${paymentId}: a budget payment without an identifier`),
    ...(accountsAsked === undefined ? [] : [`  core bank: ${coreBankText(accountsAsked)}`]),
    ...(invariants === undefined ? [] : [`  invariants: ${invariants}`]),
  ].join('\n');
};
