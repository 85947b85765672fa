/** True if the `Accept-Encoding` header accepts gzip (RFC 9110 12.5.3). */
export const acceptsGzip = (accepted: string | string[] | undefined): boolean =>
  /(?:^|,) *gzip *(?:;(?! *q=0(?:\.0*)? *(?:,|$))|,|$)/i.test([accepted ?? ''].flat().join());
