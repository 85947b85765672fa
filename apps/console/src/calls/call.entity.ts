import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A row of the table `call`, which has a partition for each day. Rows are inserted in bulk by {@link Calls} and never
 * change.
 */
@Entity('call')
@Index('call_of_tpp', ['tppId', 'at', 'callId'])
@Index('call_of_resource', ['resourceId', 'at'], { where: 'resource_id IS NOT NULL' })
export class CallEntity {
  /** When the request arrived, in real time. */
  @PrimaryColumn('timestamptz', { primaryKeyConstraintName: 'call_pkey' })
  at!: Date;

  @PrimaryColumn('bigint', {
    name: 'call_id',
    primaryKeyConstraintName: 'call_pkey',
    generated: 'identity',
    generatedIdentity: 'ALWAYS',
  })
  callId!: number;

  @Index('call_of_request')
  @Column('uuid', { name: 'request_id' })
  requestId!: string;

  @Index('call_of_trace', { where: 'trace_id IS NOT NULL' })
  @Column('text', { name: 'trace_id', nullable: true })
  traceId!: string | null;

  /** Null for calls without a valid token. */
  @Column('text', { name: 'tpp_id', nullable: true })
  tppId!: string | null;

  @Column('text')
  operation!: string;

  @Column('smallint')
  status!: number;

  @Column('text', { nullable: true })
  code!: string | null;

  /** The name of the first failure, such as `fieldMissing`. Null also for calls that an older gateway reported. */
  @Column('text', { nullable: true })
  failure!: string | null;

  /** Of the first violation: a field, parameter or header of the contract; `?` for a name that is not part of it. */
  @Column('text', { nullable: true })
  path!: string | null;

  /** The service that did not answer. */
  @Column('text', { nullable: true })
  dependency!: string | null;

  @Column('real')
  ms!: number;

  @Column('int')
  bytes!: number;

  /** The payment, consent or basket of the call. */
  @Column('uuid', { name: 'resource_id', nullable: true })
  resourceId!: string | null;
}
