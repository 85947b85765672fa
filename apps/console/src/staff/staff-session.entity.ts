import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A session of a browser, before and after a member of the staff signs in. */
@Entity('staff_session')
export class StaffSessionEntity {
  /** The SHA-256 of the session's id, so that nobody can use a session who reads the table. */
  @PrimaryColumn('bytea', { name: 'id_hash', primaryKeyConstraintName: 'staff_session_pkey' })
  idHash!: Buffer;

  @Column('jsonb')
  data!: object;

  /** Real time. */
  @Column('timestamptz', { name: 'started_at' })
  startedAt!: Date;

  /** When a person last used it, in real time. Pages that refresh themselves do not count. */
  @Index('staff_session_used_at')
  @Column('timestamptz', { name: 'used_at' })
  usedAt!: Date;
}
