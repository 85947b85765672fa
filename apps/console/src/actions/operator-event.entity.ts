import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * `action-requested` is stored before an action runs, one of `action-done` and `action-failed` when it has ended. `revealed`
 * is stored before a value is read; `action-failed` follows only if it was not shown. A request that waits for a second person
 * is followed by `approved` or `refused`, whose person and reason are those of the second person.
 */
export type OperatorEventType =
  | 'action-requested'
  | 'action-done'
  | 'action-failed'
  | 'revealed'
  | 'approved'
  | 'refused';

/** Something that a member of the staff did. Rows form one hash chain, and never change. */
@Entity('operator_event')
@Index('operator_event_begin', ['actionId'], {
  unique: true,
  where: "type IN ('action-requested', 'revealed')",
})
@Index('operator_event_end', ['actionId'], {
  unique: true,
  where: "type IN ('action-done', 'action-failed')",
})
@Index('operator_event_decision', ['actionId'], { unique: true, where: "type IN ('approved', 'refused')" })
@Index('operator_event_reveals', ['at'], { where: "type = 'revealed'" })
export class OperatorEventEntity {
  /** From 1, without gaps. */
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'operator_event_pkey' })
  seq!: number;

  /** Real time. */
  @Column('timestamptz')
  at!: Date;

  @Column('text')
  type!: OperatorEventType;

  @Column('uuid', { name: 'action_id' })
  actionId!: string;

  /** `console` for a person who signed in; `command` for the `xs2a` command, whose operator states a name. */
  @Column('text')
  via!: 'console' | 'command';

  /** The identity provider's id of the person. */
  @Column('text')
  staff!: string;

  /** The person's name at that time. */
  @Column('text')
  name!: string;

  @Column('jsonb')
  roles!: readonly string[];

  @Column('text')
  act!: string;

  /** What the action changed. Of a PSU it is a tag (psu-tags.ts), never the PSU-ID. */
  @Column('text')
  target!: string;

  @Column('text')
  reason!: string;

  /** One sentence; null for `revealed` and, unless it waits for a second person, `action-requested`. */
  @Column('text', { nullable: true })
  outcome!: string | null;

  /** The hash of the row before; zeros before the first. */
  @Column('bytea', { name: 'prev_hash' })
  prevHash!: Buffer;

  @Column('bytea')
  hash!: Buffer;
}
