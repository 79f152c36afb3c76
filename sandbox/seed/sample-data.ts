/** Public test card numbers. */

export const TEST_CARD_NUMBERS = [
  '4111111111111111',
  '5555555555554444',
  '6011111111111117',
  '371449635392376',
  '3530142019955809',
] as const;

export const FIRST_NAMES = [
  'Ada',
  'Ben',
  'Carla',
  'David',
  'Elena',
  'Farid',
  'Grace',
  'Hugo',
  'Ines',
  'Jonas',
  'Kira',
] as const;

export const LAST_NAMES = [
  'Abbott',
  'Bennett',
  'Castillo',
  'Dahl',
  'Eriksen',
  'Fischer',
  'Garcia',
  'Hansen',
  'Ito',
] as const;

export const FIRMS = ['Abbott Bakery', 'Castillo Design', 'Fischer Garden Care', 'Hansen Bicycles'] as const;

export const STREETS = ['Oak Street', 'Mill Road', 'Harbor Lane', 'Station Avenue'] as const;
