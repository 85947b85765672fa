/** The columns of a CSV file, by the name in its first line; their order is free. */
export const csvColumns = ['creditorName', 'creditorIban', 'amount', 'remittance', 'endToEndId'] as const;
export type CsvColumn = (typeof csvColumns)[number];
export const optionalColumns: readonly CsvColumn[] = ['endToEndId'];
