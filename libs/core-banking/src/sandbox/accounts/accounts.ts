import type { Balance, TransactionDetails } from '@xs2a/contracts/accounts.contract';
import type { AccountFacts, DebtorFacts } from '@xs2a/domain/account/debtor-account';
import type {
  AccountData,
  AccountsPort,
  DeltaQuery,
  EntriesPage,
  EntriesRefusal,
  FactsQuestion,
} from '../../port/accounts.js';
import { isSimulated, play, type Simulations } from '../simulation/simulations.js';
import { History, type HistoryOptions } from './history.js';

interface DetailsRow {
  readonly resourceId: string;
  readonly iban: string;
  readonly currency: string;
  readonly product: string;
  readonly type: string;
  readonly status: AccountFacts['status'];
  readonly ownerName: string;
  readonly booked: number;
  readonly blocked: number;
}

const statuses = { enabled: 'enabled', blocked: 'blocked', closed: 'deleted' } as const;

export class SandboxAccounts implements AccountsPort {
  private readonly history: History;

  constructor(
    private readonly options: HistoryOptions,
    private readonly simulations: Simulations,
  ) {
    this.history = new History(options);
  }

  async facts({ iban, psuId }: FactsQuestion): Promise<DebtorFacts> {
    const { rows } = await this.options.pool.query<
      Omit<AccountFacts, 'corporateId' | 'ownerPsuId'> & {
        corporateId: string | null;
        ownerPsuId: string | null;
        ownedByPsu: boolean;
        simulated: boolean;
      }
    >({
      name: 'account-facts',
      text: `SELECT a.iban, l.currency, a.type, a.status, a.internet_banking AS "internetBanking",
          coalesce(c.signatures_required, 1) AS "signaturesRequired", a.corporate_id AS "corporateId",
          a.psu_id AS "ownerPsuId",
          coalesce(a.psu_id = $2, false) OR EXISTS (
            SELECT FROM signer s WHERE s.psu_id = $2 AND s.corporate_id = a.corporate_id) AS "ownedByPsu",
          ${isSimulated('$2')} AS simulated
        FROM account a JOIN ledger_account l ON l.id = a.id LEFT JOIN corporate c ON c.corporate_id = a.corporate_id
        WHERE a.iban = $1`,
      values: [iban, psuId],
    });
    if (rows[0] === undefined) return { ownedByPsu: false };
    const { ownedByPsu, corporateId, ownerPsuId, simulated, ...facts } = rows[0];
    const account = {
      ...facts,
      corporateId: corporateId ?? undefined,
      ownerPsuId: corporateId === null && ownerPsuId !== null ? ownerPsuId : undefined,
    };
    if (psuId === undefined || !simulated) return { account, ownedByPsu };
    const outcome = await this.simulations.take(psuId, ['reject', 'core-bank-down', 'slow']);
    await play(outcome);
    return { account: outcome === 'reject' ? { ...account, status: 'blocked' } : account, ownedByPsu };
  }

  async details(resourceIds: readonly string[]): Promise<readonly AccountData[]> {
    const { rows } = await this.options.pool.query<DetailsRow>({
      name: 'account-details',
      text: `SELECT a.id AS "resourceId", a.iban, l.currency, a.product, a.type, a.status,
          coalesce(c.name, p.name) AS "ownerName",
          l.credits_posted + l.credit_limit - l.debits_posted AS booked, l.debits_pending AS blocked
        FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, place)
        JOIN account a ON a.id = asked.id JOIN ledger_account l ON l.id = a.id
        LEFT JOIN psu p ON p.psu_id = a.psu_id LEFT JOIN corporate c ON c.corporate_id = a.corporate_id
        ORDER BY asked.place`,
      values: [resourceIds],
    });
    return rows.map(({ type, status, booked, blocked, ...row }) => ({
      ...row,
      cashAccountType: type,
      status: statuses[status],
      balances: this.balances(booked, blocked, row.currency),
    }));
  }

  entries(query: DeltaQuery): Promise<EntriesPage | EntriesRefusal> {
    return this.history.page(query);
  }

  entry(
    account: { readonly resourceId: string },
    transactionId: string,
  ): Promise<TransactionDetails | undefined> {
    return this.history.entry(account, transactionId);
  }

  /** Both balances include the credit limit. `expected` excludes the amounts blocked by pending items (spec 2.2). */
  private balances(booked: number, blocked: number, currency: string): Balance[] {
    const referenceDate = this.options.clock.date(this.options.timeZone);
    const balance = (balanceType: Balance['balanceType'], minor: number): Balance => ({
      balanceType,
      amount: { minor, currency },
      creditLimitIncluded: true,
      referenceDate,
    });
    return [balance('interimAvailable', booked), balance('expected', booked - blocked)];
  }
}
