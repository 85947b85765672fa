/** A member of the sandbox bank's staff. */
export interface Member {
  readonly id: string;
  readonly role: string;
  /** What the person may do, for the page on which it is chosen. */
  readonly does: string;
}

/** The staff of the sandbox bank. Nobody has a password: who reaches this provider may be any of them. */
export const staff: readonly Member[] = [
  { id: 'ivanova', role: 'operator', does: 'repairs and reveals' },
  { id: 'petrov', role: 'approver', does: 'approves what others request' },
  { id: 'viewer', role: 'viewer', does: 'sees everything except personal data' },
  { id: 'auditor', role: 'auditor', does: 'sees who did what' },
  { id: 'support', role: 'support', does: 'helps customers' },
];

export const findMember = (id: string): Member | undefined => staff.find((member) => member.id === id);
