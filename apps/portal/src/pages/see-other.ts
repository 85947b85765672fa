/** What a handler returns to send the browser to another page of the portal. */
export class SeeOther {
  constructor(readonly path: string) {}
}
