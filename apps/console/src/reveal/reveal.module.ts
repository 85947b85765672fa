import { Module } from '@nestjs/common';
import { ActionsModule } from '../actions/actions.module.js';
import { RevealByCommandController } from './reveal-by-command.controller.js';
import { EncryptedSearch } from './encrypted-search.js';
import { RevealFields } from './reveal-fields.js';

/** Shows encrypted data to the staff, one field at a time. */
@Module({
  imports: [ActionsModule],
  providers: [EncryptedSearch, RevealFields],
  controllers: [RevealByCommandController],
  exports: [EncryptedSearch, RevealFields],
})
export class RevealModule {}
