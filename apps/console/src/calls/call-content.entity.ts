import type { CallContent } from '@xs2a/contracts/console.contract';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A row of the table `call_content`: the headers and bodies of a call, without secrets. Only a sandbox has rows. */
@Entity('call_content')
export class CallContentEntity {
  @PrimaryColumn('bigint', { name: 'call_id', primaryKeyConstraintName: 'call_content_pkey' })
  callId!: number;

  /** When the request arrived, in real time. */
  @Index('call_content_at')
  @Column('timestamptz')
  at!: Date;

  /** The size of both sides as JSON. */
  @Column('int')
  bytes!: number;

  @Column('jsonb')
  request!: CallContent['request'];

  @Column('jsonb')
  response!: CallContent['response'];
}
