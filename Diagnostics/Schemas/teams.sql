-- To-do lists of teams.
create extension if not exists "uuid-ossp" with schema extensions;
create extension if not exists moddatetime schema extensions;

create type public.team_role as enum ('owner', 'editor', 'viewer');
create type public.task_state as enum ('open', 'doing', 'done');
alter type public.task_state add value if not exists 'dropped' after 'done';

create table if not exists public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  full_name text not null default '',
  avatar_url text,
  created_at timestamptz not null default now(),
  constraint profiles_name_length check (char_length(full_name) <= 80)
);

create table public.teams (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(name) between 1 and 60),
  created_by uuid not null default auth.uid() references public.profiles (id),
  created_at timestamp with time zone not null default timezone('utc'::text, now())
);

create table public.team_members (
  team_id uuid not null references public.teams on delete cascade,
  user_id uuid not null references public.profiles on delete cascade,
  role public.team_role not null default 'viewer',
  joined_at timestamptz default now(),
  primary key (team_id, user_id)
);

create table public.tasks (
  id uuid primary key default uuid_generate_v4(),
  team_id uuid not null references public.teams (id) on delete cascade,
  title varchar(200) not null,
  notes text,
  state public.task_state not null default 'open',
  priority smallint not null default 0 check (priority in (-1, 0, 1, 2)),
  labels text[] not null default '{}',
  due_on date,
  assigned_to uuid references public.profiles on delete set null,
  position double precision not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (team_id, title),
  check (state <> 'done' or due_on is not null or notes is not null)
);
comment on table public.tasks is 'Work of a team. @zonekit arbiter updated_at';
comment on column public.tasks.position is 'the order within the team''s list';

create index tasks_team_idx on public.tasks (team_id, position desc nulls last);
create index if not exists tasks_open_idx on public.tasks using btree (due_on) where state = 'open';
create index tasks_labels_idx on public.tasks using gin (labels);

create or replace function public.touch_updated_at()
returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  -- The newest edit wins.
  new.updated_at = now();
  return new;
end;
$$;

drop trigger if exists tasks_touch on public.tasks;
create trigger tasks_touch
  before update on public.tasks
  for each row execute function public.touch_updated_at();

alter table public.profiles enable row level security;
alter table public.teams enable row level security;
alter table public.team_members enable row level security;
alter table public.tasks enable row level security;
alter table public.tasks replica identity full;

create policy "Profiles are visible to everyone." on public.profiles
  for select using (true);
create policy "Users change their own profile." on public.profiles
  for update to authenticated
  using ((select auth.uid()) = id) with check ((select auth.uid()) = id);
create policy "Users make their own profile." on public.profiles
  for insert to authenticated with check (auth.uid() = id);

create policy "Members see their team." on public.teams for select to authenticated
  using (id in (select team_id from public.team_members where user_id = (select auth.uid())));
create policy "Anyone signed in makes a team." on public.teams for insert to authenticated
  with check (created_by = auth.uid());

create policy "Members see members." on public.team_members for select
  using (user_id = auth.uid() or exists (
    select 1 from public.team_members as m where m.team_id = team_members.team_id and m.user_id = auth.uid()));

create policy "Members read tasks." on public.tasks for select to authenticated
  using (exists (
    select 1 from public.team_members m
    where m.team_id = tasks.team_id and m.user_id = (select auth.uid())));
create policy "Editors write tasks." on public.tasks for all to authenticated
  using ((select role from public.team_members m where m.team_id = tasks.team_id and m.user_id = auth.uid() limit 1)
    = any (array['owner', 'editor']::public.team_role[]))
  with check (team_id is not null and not (title ilike '%spam%'));

drop publication if exists supabase_realtime;
create publication supabase_realtime;
alter publication supabase_realtime add table public.tasks, public.team_members;

insert into storage.buckets (id, name, public) values ('avatars', 'avatars', true)
on conflict (id) do nothing;
create policy "Avatars are public." on storage.objects for select using (bucket_id = 'avatars');
create policy "Users upload into their folder." on storage.objects for insert to authenticated
  with check (bucket_id = 'avatars' and (storage.foldername(name))[1] = (select auth.uid())::text);

grant usage on schema public to anon, authenticated;
grant select, insert, update, delete on public.tasks to authenticated;
revoke all on public.tasks from anon;
