// Owns the schemas and endpoints of customers.
import { z } from 'zod'
import { dateTime, endpoint, idParam, pageOf, paging, uuid, textUpTo } from './endpoint.ts'
import { CUSTOMER_STATUSES, DOCUMENT_TYPES } from './enums.ts'
import * as limits from './limits.ts'
import { shortText } from './transactions.ts'

const addressIn = {
  addressStreet: shortText.optional(),
  addressNumber: shortText.optional(),
  addressComplement: shortText.optional(),
  addressNeighborhood: shortText.optional(),
  addressCity: shortText.optional(),
  addressState: shortText.optional(),
  addressPostalCode: shortText.optional(),
  addressCountry: shortText.optional(),
}
const fields = {
  document: textUpTo(30).optional(),
  documentType: z.enum(DOCUMENT_TYPES).optional(),
  phone: textUpTo(30).optional(),
  externalId: textUpTo(limits.MAX_EXTERNAL_ID_UNITS).min(1).optional(),
  metadata: textUpTo(limits.MAX_METADATA_UNITS).optional().meta({ description: 'JSON text' }),
  ...addressIn,
}
const email = z.email().max(limits.MAX_SHORT_TEXT_UNITS)
const part = z.string().nullable()

const customerOut = z
  .strictObject({
    id: uuid,
    externalId: z.string().nullable(),
    name: z.string(),
    email: z.string(),
    document: z.string().nullable(),
    documentType: z.enum(DOCUMENT_TYPES).nullable(),
    phone: z.string().nullable().meta({ description: 'digits only' }),
    status: z.enum(CUSTOMER_STATUSES),
    metadata: z.string().nullable(),
    address: z
      .strictObject({
        street: part,
        number: part,
        complement: part,
        neighborhood: part,
        city: part,
        state: part,
        postalCode: part,
        country: part,
      })
      .nullable(),
    createdAt: dateTime,
  })
  .meta({ id: 'Customer' })

const createCustomer = endpoint({
  id: 'createCustomer',
  method: 'POST',
  path: '/v1/customers',
  tag: 'Customers',
  summary: 'Creates a customer',
  permission: 'customers.write',
  body: z.object({ name: shortText, email, ...fields }).meta({ id: 'CreateCustomer' }),
  data: customerOut,
  success: { choice: 'TX-02' },
  errors: ['validation_error', 'field_too_long', 'conflict', 'payload_too_large'],
  silences: ['TX-02', 'CU-01', 'CU-02'],
  authority: 'CU-01',
})

const listCustomers = endpoint({
  id: 'listCustomers',
  method: 'GET',
  path: '/v1/customers',
  tag: 'Customers',
  summary: 'Lists customers, newest first',
  permission: 'customers.read',
  query: z.object({
    ...paging,
    status: z.enum(CUSTOMER_STATUSES).optional(),
    documentType: z.enum(DOCUMENT_TYPES).optional(),
    search: z.string().optional(),
    externalId: z.string().optional(),
  }),
  data: pageOf(customerOut).meta({ id: 'CustomerPage' }),
  errors: ['validation_error', 'not_found'],
  silences: ['CU-02', 'CU-06', 'LI-02'],
  authority: 'contract: GET /v1/customers',
})

const getCustomer = endpoint({
  id: 'getCustomer',
  method: 'GET',
  path: '/v1/customers/{id}',
  tag: 'Customers',
  summary: 'Reads one customer',
  permission: 'customers.read',
  record: 'customer',
  params: idParam('id'),
  data: customerOut,
  errors: ['not_found'],
  silences: ['CU-02', 'CU-03'],
  authority: 'CU-03',
})

const updateCustomer = endpoint({
  id: 'updateCustomer',
  method: 'PATCH',
  path: '/v1/customers/{id}',
  tag: 'Customers',
  summary: 'Changes a customer',
  permission: 'customers.edit',
  record: 'customer',
  params: idParam('id'),
  body: z
    .object({
      name: shortText.optional(),
      email: email.optional(),
      ...fields,
      status: z.enum(CUSTOMER_STATUSES).optional(),
    })
    .meta({ id: 'UpdateCustomer' }),
  data: customerOut,
  errors: ['validation_error', 'field_too_long', 'not_found', 'payload_too_large'],
  silences: ['CU-02', 'CU-03'],
  authority: 'CU-03',
})

/** Endpoints of customers. */
export const CUSTOMER_ENDPOINTS = [createCustomer, listCustomers, getCustomer, updateCustomer] as const
