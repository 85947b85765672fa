import { Module } from '@nestjs/common';
import { ActionsModule } from '../actions/actions.module.js';
import { BundleByCommandController } from '../dispute-bundle/bundle-by-command.controller.js';
import { DisputeBundles } from '../dispute-bundle/dispute-bundles.js';
import { RevealByCommandController } from './reveal-by-command.controller.js';
import { EncryptedSearch } from './encrypted-search.js';
import { RevealFields } from './reveal-fields.js';

/** Shows encrypted data to the staff: one field, the payments that a search finds, or the dispute bundle of a payment. */
@Module({
  imports: [ActionsModule],
  providers: [DisputeBundles, EncryptedSearch, RevealFields],
  controllers: [BundleByCommandController, RevealByCommandController],
  exports: [DisputeBundles, EncryptedSearch, RevealFields],
})
export class RevealModule {}
