import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Milliseconds for which a certificate is kept after the latest call in which the TPP presented it. */
export const certificateKeptMs = 30 * 24 * 60 * 60 * 1000;

/** A row of the table `tpp_certificate`: the certificate that a TPP presented in the latest of its calls. */
@Entity('tpp_certificate')
export class TppCertificateEntity {
  @PrimaryColumn('text', { name: 'tpp_id', primaryKeyConstraintName: 'tpp_certificate_pkey' })
  tppId!: string;

  @Column('timestamptz', { name: 'ends_at' })
  endsAt!: Date;

  /** Real time. */
  @Column('timestamptz', { name: 'seen_at' })
  seenAt!: Date;
}
