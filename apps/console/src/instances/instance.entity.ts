import type { ProcessEnd } from '@xs2a/contracts/pulse.contract';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A process of a service, from its start to its end: one row for each start. */
@Entity('instance')
export class Instance {
  /** The id in its pulses. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'instance_pkey' })
  id!: string;

  @Column('text')
  service!: string;

  @Column('text')
  host!: string;

  @Column('int')
  pid!: number;

  @Column('text')
  version!: string;

  @Column('timestamptz', { name: 'started_at' })
  startedAt!: Date;

  @Index('instance_last_pulse_at')
  @Column('timestamptz', { name: 'last_pulse_at' })
  lastPulseAt!: Date;

  /** Null while the process runs, and for one that was killed, crashed or lost its host. */
  @Column('jsonb', { nullable: true })
  ended!: ProcessEnd | null;
}
