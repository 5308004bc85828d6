-- The tables of the benchmark `queries` as a schema of a user's own, with the columns that the built-in app has.
create table public.persons (
  id uuid primary key, owner_id uuid not null default auth.uid() references auth.users on delete cascade,
  name text not null, created_at timestamptz, updated_at timestamptz not null default now(), deleted_at timestamptz,
  edited_at timestamptz, changed_by text);

create table public.financial_transactions (
  id uuid primary key, owner_id uuid not null default auth.uid() references auth.users on delete cascade,
  title text not null, amount double precision not null, currency text not null, date timestamptz not null, note text,
  split_method text, payer_id uuid references public.persons, created_by_id uuid references public.persons,
  created_at timestamptz, updated_at timestamptz not null default now(), deleted_at timestamptz, edited_at timestamptz,
  changed_by text);

create table public.transaction_splits (
  id uuid primary key, transaction_id uuid not null references public.financial_transactions on delete cascade,
  owed_by_id uuid references public.persons, amount double precision not null, created_at timestamptz,
  updated_at timestamptz not null default now(), deleted_at timestamptz, edited_at timestamptz, changed_by text);

create index on public.financial_transactions (title);
create index on public.financial_transactions (updated_at desc);
create index on public.financial_transactions (date desc);
create index on public.financial_transactions (amount);
create index on public.financial_transactions (payer_id, date desc);

alter table public.persons enable row level security;
alter table public.financial_transactions enable row level security;
alter table public.transaction_splits enable row level security;
create policy own on public.persons for all to authenticated
  using (owner_id = (select auth.uid())) with check (owner_id = (select auth.uid()));
create policy own on public.financial_transactions for all to authenticated
  using (owner_id = (select auth.uid())) with check (owner_id = (select auth.uid()));
create policy own on public.transaction_splits for all to authenticated
  using (exists (select 1 from public.financial_transactions t where t.id = transaction_id))
  with check (exists (select 1 from public.financial_transactions t where t.id = transaction_id));
