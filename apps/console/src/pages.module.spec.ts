import { describe, expect, it } from '@jest/globals';
import { RequestMethod, type Type } from '@nestjs/common';
import { AssetsController } from './pages/assets.controller.js';
import { PagesModule } from './pages.module.js';
import { forRoles } from './staff/for-roles.js';
import { StaffGuard } from './staff/staff.guard.js';

const controllers = Reflect.getMetadata('controllers', PagesModule) as Type[];
const handlersOf = ({ prototype }: Type): readonly object[] =>
  Object.getOwnPropertyNames(prototype)
    .map((name) => Reflect.get(prototype as object, name) as object)
    .filter((member) => typeof member === 'function' && Reflect.hasMetadata('method', member));

describe('the pages of the console', () => {
  it.each(controllers.filter((controller) => controller !== AssetsController))(
    'are behind the guard that checks roles and the tokens of forms: %p',
    (controller) => {
      expect(Reflect.getMetadata('__guards__', controller)).toEqual([StaffGuard]);
      expect(handlersOf(controller).filter((handler) => !Reflect.hasMetadata(forRoles, handler))).toEqual([]);
    },
  );

  it('are otherwise only files that every page loads, which can only be read', () => {
    const methods = handlersOf(AssetsController).map(
      (handler) => Reflect.getMetadata('method', handler) as unknown,
    );
    expect(new Set(methods)).toEqual(new Set([RequestMethod.GET]));
  });
});
