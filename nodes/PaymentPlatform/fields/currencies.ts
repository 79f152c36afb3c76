/** ISO 4217: the U.S. dollar, and then the other currencies by name. */
export const CURRENCIES = `
840 USD US Dollar; 971 AFN Afghan Afghani; 008 ALL Albanian Lek; 012 DZD Algerian Dinar; 973 AOA Angolan Kwanza;
032 ARS Argentine Peso; 051 AMD Armenian Dram; 533 AWG Aruban Florin; 036 AUD Australian Dollar;
944 AZN Azerbaijani Manat; 044 BSD Bahamian Dollar; 048 BHD Bahraini Dinar; 050 BDT Bangladeshi Taka;
052 BBD Barbadian Dollar; 933 BYN Belarusian Ruble; 084 BZD Belize Dollar; 060 BMD Bermudan Dollar;
064 BTN Bhutanese Ngultrum; 068 BOB Bolivian Boliviano; 977 BAM Bosnia-Herzegovina Convertible Mark;
072 BWP Botswanan Pula; 986 BRL Brazilian Real; 826 GBP British Pound; 096 BND Brunei Dollar; 975 BGN Bulgarian Lev;
108 BIF Burundian Franc; 116 KHR Cambodian Riel; 124 CAD Canadian Dollar; 132 CVE Cape Verdean Escudo;
136 KYD Cayman Islands Dollar; 950 XAF Central African CFA Franc; 953 XPF CFP Franc; 152 CLP Chilean Peso;
156 CNY Chinese Yuan; 170 COP Colombian Peso; 174 KMF Comorian Franc; 976 CDF Congolese Franc;
188 CRC Costa Rican Colón; 192 CUP Cuban Peso; 203 CZK Czech Koruna; 208 DKK Danish Krone; 262 DJF Djiboutian Franc;
214 DOP Dominican Peso; 951 XCD East Caribbean Dollar; 818 EGP Egyptian Pound; 232 ERN Eritrean Nakfa;
230 ETB Ethiopian Birr; 978 EUR Euro; 238 FKP Falkland Islands Pound; 242 FJD Fijian Dollar; 270 GMD Gambian Dalasi;
981 GEL Georgian Lari; 936 GHS Ghanaian Cedi; 292 GIP Gibraltar Pound; 320 GTQ Guatemalan Quetzal;
324 GNF Guinean Franc; 328 GYD Guyanaese Dollar; 332 HTG Haitian Gourde; 340 HNL Honduran Lempira;
344 HKD Hong Kong Dollar; 348 HUF Hungarian Forint; 352 ISK Icelandic Króna; 356 INR Indian Rupee;
360 IDR Indonesian Rupiah; 364 IRR Iranian Rial; 368 IQD Iraqi Dinar; 376 ILS Israeli New Shekel;
388 JMD Jamaican Dollar; 392 JPY Japanese Yen; 400 JOD Jordanian Dinar; 398 KZT Kazakhstani Tenge;
404 KES Kenyan Shilling; 414 KWD Kuwaiti Dinar; 417 KGS Kyrgyz Som; 418 LAK Laotian Kip; 422 LBP Lebanese Pound;
426 LSL Lesotho Loti; 430 LRD Liberian Dollar; 434 LYD Libyan Dinar; 446 MOP Macanese Pataca;
807 MKD Macedonian Denar; 969 MGA Malagasy Ariary; 454 MWK Malawian Kwacha; 458 MYR Malaysian Ringgit;
462 MVR Maldivian Rufiyaa; 929 MRU Mauritanian Ouguiya; 480 MUR Mauritian Rupee; 484 MXN Mexican Peso;
498 MDL Moldovan Leu; 496 MNT Mongolian Tugrik; 504 MAD Moroccan Dirham; 943 MZN Mozambican Metical;
104 MMK Myanmar Kyat; 516 NAD Namibian Dollar; 524 NPR Nepalese Rupee; 532 ANG Netherlands Antillean Guilder;
901 TWD New Taiwan Dollar; 554 NZD New Zealand Dollar; 558 NIO Nicaraguan Córdoba; 566 NGN Nigerian Naira;
408 KPW North Korean Won; 578 NOK Norwegian Krone; 512 OMR Omani Rial; 586 PKR Pakistani Rupee;
590 PAB Panamanian Balboa; 598 PGK Papua New Guinean Kina; 600 PYG Paraguayan Guarani; 604 PEN Peruvian Sol;
608 PHP Philippine Peso; 985 PLN Polish Zloty; 634 QAR Qatari Riyal; 946 RON Romanian Leu; 643 RUB Russian Ruble;
646 RWF Rwandan Franc; 222 SVC Salvadoran Colón; 882 WST Samoan Tala; 930 STN São Tomé and Príncipe Dobra;
682 SAR Saudi Riyal; 941 RSD Serbian Dinar; 690 SCR Seychellois Rupee; 925 SLE Sierra Leonean Leone;
702 SGD Singapore Dollar; 090 SBD Solomon Islands Dollar; 706 SOS Somali Shilling; 710 ZAR South African Rand;
410 KRW South Korean Won; 728 SSP South Sudanese Pound; 144 LKR Sri Lankan Rupee; 654 SHP St. Helena Pound;
938 SDG Sudanese Pound; 968 SRD Surinamese Dollar; 748 SZL Swazi Lilangeni; 752 SEK Swedish Krona;
756 CHF Swiss Franc; 760 SYP Syrian Pound; 972 TJS Tajikistani Somoni; 834 TZS Tanzanian Shilling; 764 THB Thai Baht;
776 TOP Tongan Paʻanga; 780 TTD Trinidad and Tobago Dollar; 788 TND Tunisian Dinar; 949 TRY Turkish Lira;
934 TMT Turkmenistani Manat; 800 UGX Ugandan Shilling; 980 UAH Ukrainian Hryvnia;
784 AED United Arab Emirates Dirham; 858 UYU Uruguayan Peso; 860 UZS Uzbekistani Som; 548 VUV Vanuatu Vatu;
928 VES Venezuelan Bolívar; 704 VND Vietnamese Dong; 952 XOF West African CFA Franc; 886 YER Yemeni Rial;
967 ZMW Zambian Kwacha
`;

const LETTERS = new Map(
  [...CURRENCIES.matchAll(/(\d{3}) ([A-Z]{3}) /g)].map(([, digits = '', letters = '']): [string, string] => [
    digits,
    letters,
  ]),
);
const DIGITS = new Map([...LETTERS].map(([digits, letters]): [string, string] => [letters, digits]));

const threeDigits = (number: string) => number.trim().padStart(3, '0');

/** Returns an unknown code unchanged. */
export const currencyLetters = (number: string): string => LETTERS.get(threeDigits(number)) ?? number.trim();

/** Codes with the minor unit 0 or 3 in ISO 4217 List One, except precious metals. */
const WHOLE = new Set('108 152 174 262 324 352 392 410 548 600 646 704 800 940 950 952 953'.split(' '));
const THOUSANDTHS = new Set('048 368 400 414 434 512 788'.split(' '));

/** Returns 2 for an unknown code of digits or letters. */
export function decimalsOf(code: string): number {
  const digits = DIGITS.get(code.trim().toUpperCase()) ?? threeDigits(code);
  return WHOLE.has(digits) ? 0 : THOUSANDTHS.has(digits) ? 3 : 2;
}

export const hasNoDecimals = (code: string): boolean => decimalsOf(code) === 0;

/** Ignores case. */
export const isCurrency = (letters: string): boolean => DIGITS.has(letters.toUpperCase());
