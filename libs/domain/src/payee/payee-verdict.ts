/** What is known about a payee's name and account (contract 15). */
export const payeeVerdicts = ['MATCH', 'CLOSE_MATCH', 'NO_MATCH', 'NOT_POSSIBLE'] as const;
export type PayeeVerdict = (typeof payeeVerdicts)[number];
