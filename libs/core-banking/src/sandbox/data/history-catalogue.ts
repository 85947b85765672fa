import { bulgarianIban } from '../people/new-iban.js';
import { type BankTransactionCode, bankTransactionCodes as code } from './bank-transaction-codes.js';

/**
 * A counterparty at another bank with which seeded accounts have transactions. Amounts are in minor units, from
 * lowest to highest.
 */
export interface Dealing {
  readonly name: string;
  readonly account?: string;
  readonly remittance: string;
  readonly code: BankTransactionCode;
  readonly min: number;
  readonly max: number;
}

const outside = (bankCode: string, account: number): string => bulgarianIban(bankCode, account, '915510');
const dealing = (
  code: BankTransactionCode,
  name: string,
  remittance: string,
  [min, max]: readonly [number, number],
  account?: string,
): Dealing => ({ name, account, remittance, code, min, max });

export const employers: readonly Dealing[] = [
  dealing(code.salary, 'Балкан Софт ООД', 'Работна заплата', [310_000, 420_000], outside('UNCR', 10_450_001)),
  dealing(
    code.salary,
    'Витоша Логистика АД',
    'Възнаграждение',
    [270_000, 360_000],
    outside('STSA', 10_450_002),
  ),
  dealing(
    code.salary,
    'Тракия Консулт ЕООД',
    'Хонорар по договор',
    [290_000, 380_000],
    outside('FINV', 10_450_003),
  ),
];

/** Monthly payments, by direct debit or as a bank charge. */
export const monthlyBills: readonly Dealing[] = [
  dealing(
    code.directDebit,
    'Електроснабдяване София',
    'Електроенергия',
    [6_500, 14_900],
    outside('UNCR', 20_100_001),
  ),
  dealing(code.directDebit, 'Столично водоснабдяване', 'Вода', [1_800, 4_200], outside('UBBS', 20_100_002)),
  dealing(
    code.directDebit,
    'Балкан Телеком',
    'Мобилни услуги и интернет',
    [3_599, 5_499],
    outside('STSA', 20_100_003),
  ),
  dealing(code.directDebit, 'Топлинна енергия', 'Парно', [2_900, 18_000], outside('UBBS', 20_100_004)),
  dealing(code.charge, 'Sandbox Bank', 'Месечна такса за обслужване', [250, 250]),
];

export const cardPurchases: readonly Dealing[] = [
  dealing(code.card, 'Хранителни стоки Люлин', 'Покупка с карта', [1_240, 9_860]),
  dealing(code.card, 'Супермаркет Изток', 'Покупка с карта', [890, 12_450]),
  dealing(code.card, 'Пекарна Слънце', 'Покупка с карта', [180, 1_350]),
  dealing(code.card, 'Бензиностанция Тракия', 'Покупка с карта', [4_000, 13_900]),
  dealing(code.card, 'Аптека Здраве', 'Покупка с карта', [620, 5_780]),
  dealing(code.card, 'Книжарница Орфей', 'Покупка с карта', [990, 4_600]),
  dealing(code.card, 'Ресторант Рила', 'Покупка с карта', [2_400, 9_900]),
  dealing(code.card, 'Градски транспорт', 'Карта за пътуване', [160, 5_000]),
  dealing(code.card, 'Онлайн магазин Витрина', 'Поръчка', [1_990, 15_900]),
  dealing(code.cashWithdrawal, 'Банкомат София Център', 'Теглене в брой', [4_000, 20_000]),
];

/** People who send money to and receive money from the account holder. */
export const friends: readonly Dealing[] = [
  dealing(code.transferOut, 'Никола Тодоров', 'Вечеря', [1_500, 6_000], outside('UNCR', 30_200_001)),
  dealing(code.transferOut, 'Десислава Ангелова', 'Подарък', [2_000, 9_000], outside('FINV', 30_200_002)),
  dealing(code.transferOut, 'Стоян Колев', 'Връщане на заем', [5_000, 20_000], outside('STSA', 30_200_003)),
  dealing(
    code.transferOut,
    'Радостина Илиева',
    'За екскурзията',
    [3_000, 12_000],
    outside('RZBB', 30_200_004),
  ),
];

export const ownSavings = dealing(
  code.transferOut,
  'Собствена спестовна сметка',
  'Спестявания',
  [0, 0],
  outside('UBBS', 30_200_009),
);
export const savingsDeposit = dealing(
  code.transferIn,
  'Собствена разплащателна сметка',
  'Спестявания',
  [5_000, 20_000],
  outside('UBBS', 30_200_010),
);
export const savingsInterest = dealing(code.interest, 'Sandbox Bank', 'Лихва', [80, 410]);

export const customers: readonly Dealing[] = [
  dealing(
    code.transferIn,
    'Марица Строй ООД',
    'Плащане по фактура',
    [180_000, 890_000],
    outside('UNCR', 40_300_001),
  ),
  dealing(
    code.transferIn,
    'Пирин Турс ЕООД',
    'Плащане по фактура',
    [90_000, 420_000],
    outside('STSA', 40_300_002),
  ),
  dealing(
    code.transferIn,
    'Дунав Трейд АД',
    'Аванс по договор',
    [250_000, 950_000],
    outside('FINV', 40_300_003),
  ),
  dealing(
    code.transferIn,
    'Родопи Мебел ООД',
    'Плащане по фактура',
    [60_000, 310_000],
    outside('UBBS', 40_300_004),
  ),
];

export const suppliers: readonly Dealing[] = [
  dealing(
    code.transferOut,
    'Офис Център Сердика',
    'Наем на офис',
    [240_000, 240_000],
    outside('UNCR', 50_400_001),
  ),
  dealing(
    code.transferOut,
    'Хартия и Печат ООД',
    'Канцеларски материали',
    [12_000, 48_000],
    outside('STSA', 50_400_002),
  ),
  dealing(
    code.transferOut,
    'Куриер Експрес АД',
    'Куриерски услуги',
    [18_000, 76_000],
    outside('UBBS', 50_400_003),
  ),
  dealing(code.transferOut, 'Облачни Услуги ЕООД', 'Хостинг', [22_000, 64_000], outside('FINV', 50_400_004)),
  dealing(
    code.directDebit,
    'Електроснабдяване София',
    'Електроенергия',
    [31_000, 92_000],
    outside('UNCR', 20_100_001),
  ),
  dealing(
    code.payroll,
    'Калина Маринова',
    'Работна заплата',
    [285_000, 285_000],
    outside('RZBB', 50_400_006),
  ),
  dealing(code.payroll, 'Петър Василев', 'Работна заплата', [310_000, 310_000], outside('STSA', 50_400_007)),
  dealing(
    code.payroll,
    'Виктория Желева',
    'Работна заплата',
    [265_000, 265_000],
    outside('FINV', 50_400_008),
  ),
  dealing(code.transferOut, 'НАП', 'ДДС и осигуровки', [120_000, 410_000], 'BG88BNBG96618000195001'),
];
export const mainSupplier = dealing(
  code.transferOut,
  'Доставчик Балкан АД',
  'Плащане по фактура',
  [0, 0],
  outside('UBBS', 50_400_010),
);
