/** For sandbox people who were created without a name; every pair agrees in gender. */
export const inventedNames = {
  given: [
    'Александра',
    'Боряна',
    'Виолета',
    'Гергана',
    'Диана',
    'Ивелина',
    'Лилия',
    'Милена',
    'Росица',
    'Теодора',
  ],
  family: [
    'Андреева',
    'Божилова',
    'Великова',
    'Ганева',
    'Данаилова',
    'Захариева',
    'Киркова',
    'Методиева',
    'Попова',
    'Цветкова',
  ],
} as const;
