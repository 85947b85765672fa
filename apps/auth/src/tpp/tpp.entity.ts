import type { TppRecord, TppRole } from '@xs2a/contracts/auth.contract';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { AuthMethod } from './auth-methods.js';

/** A row of the table `tpp`. The migrations create the table; tpp-entity.int.spec.ts compares it with this class. */
@Entity('tpp')
@Check('tpp_status_check', "status IN ('active', 'blocked')")
export class TppEntity {
  @PrimaryColumn('text', { name: 'client_id', primaryKeyConstraintName: 'tpp_pkey' })
  clientId!: string;

  @Column('text')
  name!: string;

  /** The SHA-256 hash of the client secret in hex; null for a TPP that authenticates without a secret. */
  @Column('text', { name: 'secret_hash', nullable: true })
  secretHash!: string | null;

  @Column('text', { array: true })
  roles!: TppRole[];

  @Column('text', { name: 'redirect_uris', array: true })
  redirectUris!: string[];

  @Column('jsonb', { nullable: true })
  jwks!: { keys: object[] } | null;

  @Column('text', { name: 'auth_method' })
  authMethod!: AuthMethod;

  @Column('text')
  status!: TppRecord['status'];

  @Column('text', { name: 'organization_identifier', nullable: true })
  organizationIdentifier!: string | null;

  /** Access tokens issued before this time are refused; null until the TPP is blocked for the first time. */
  @Column('timestamptz', { name: 'tokens_from', nullable: true })
  tokensFrom!: Date | null;

  /** Incremented with each change, so that gateways can tell which record is newer. */
  @Column('int', { default: 1 })
  version!: number;

  @Column('timestamptz', { name: 'registered_at' })
  registeredAt!: Date;
}
