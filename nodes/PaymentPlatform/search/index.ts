import { searchCards } from './cards';
import { searchCustomers } from './customers';
import { searchSales } from './sales';

/** The list searches behind "From List", by the name that the locators use. */
export const listSearch = { searchCards, searchCustomers, searchSales };
