import { isJsonObject } from '@xs2a/domain/form/form-checks';
import type { Row } from '../requests/authorisation-request.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import { inWords, optionalRow, textIn } from './row-parts.js';

/** The submitted Budget Payment Details (spec 2.4) as readable text. `day` formats an ISO date. */
export const budgetRows = (
  details: unknown,
  { row, codes, value }: Catalogue,
  day: (iso: string) => string,
): readonly Row[] => {
  if (!isJsonObject(details)) return [];
  const [from, end] = [textIn(details, 'fromDate'), textIn(details, 'endDate')];
  const taxpayerId = textIn(details, 'taxpayerId', 'taxPayerId');
  const taxpayerType = inWords(codes.taxpayerType, textIn(details, 'taxpayerType', 'taxPayerType'));
  const documentDate = textIn(details, 'documentDate');
  const document = [textIn(details, 'documentNumber'), documentDate && day(documentDate)].filter(Boolean);
  return [
    ...optionalRow(row.obligedPerson, textIn(details, 'obligedPersonName')),
    ...optionalRow(row.taxpayer, [taxpayerType, taxpayerId].filter(Boolean).join(': ') || undefined),
    ...optionalRow(row.reportType, inWords(codes.reportType, textIn(details, 'regulatoryReportType'))),
    ...optionalRow(row.document, document.join(', ') || undefined),
    ...optionalRow(row.category, inWords(codes.category, textIn(details, 'paymentCategory'))),
    ...optionalRow(row.period, from || end ? value.period(from && day(from), end && day(end)) : undefined),
  ];
};
