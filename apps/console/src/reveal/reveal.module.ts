import { Module } from '@nestjs/common';
import { ActionsModule } from '../actions/actions.module.js';
import { BundleByCommandController } from '../dispute-bundle/bundle-by-command.controller.js';
import { DisputeBundles } from '../dispute-bundle/dispute-bundles.js';
import { ApprovalsByCommandController } from '../psus/approvals-by-command.controller.js';
import { OpenApprovals } from '../psus/open-approvals.js';
import { RevealByCommandController } from './reveal-by-command.controller.js';
import { EncryptedSearch } from './encrypted-search.js';
import { RevealFields } from './reveal-fields.js';

/**
 * Decrypts personal data for the staff, and records each reveal: one field, the payments that a search finds, what waits for the approval
 * of a PSU, or the dispute bundle of a payment.
 */
@Module({
  imports: [ActionsModule],
  providers: [DisputeBundles, EncryptedSearch, OpenApprovals, RevealFields],
  controllers: [ApprovalsByCommandController, BundleByCommandController, RevealByCommandController],
  exports: [DisputeBundles, EncryptedSearch, OpenApprovals, RevealFields],
})
export class RevealModule {}
