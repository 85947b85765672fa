/** Names for sandbox people who are created without one. The first and last name have the same grammatical gender. */
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
