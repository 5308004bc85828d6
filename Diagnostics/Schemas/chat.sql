SET statement_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET row_security = off;

CREATE SCHEMA IF NOT EXISTS "public";
ALTER SCHEMA "public" OWNER TO "pg_database_owner";
COMMENT ON SCHEMA "public" IS 'standard public schema';
CREATE EXTENSION IF NOT EXISTS "pgcrypto" WITH SCHEMA "extensions";

CREATE TYPE "public"."message_kind" AS ENUM (
    'text',
    'image',
    'system'
);
ALTER TYPE "public"."message_kind" OWNER TO "postgres";

CREATE OR REPLACE FUNCTION "public"."set_updatedAt"() RETURNS "trigger"
    LANGUAGE "plpgsql"
    AS $$
BEGIN
    NEW."updatedAt" = timezone('utc', now());
    RETURN NEW;
END;
$$;
ALTER FUNCTION "public"."set_updatedAt"() OWNER TO "postgres";

CREATE TABLE IF NOT EXISTS "public"."users" (
    "id" "uuid" NOT NULL,
    "username" "text" NOT NULL,
    "lastSeen" timestamp with time zone,
    "avatar" "bytea",
    "settings" "jsonb" DEFAULT '{"theme": "dark"}'::"jsonb" NOT NULL
);
ALTER TABLE "public"."users" OWNER TO "postgres";

CREATE TABLE IF NOT EXISTS "public"."rooms" (
    "id" "uuid" DEFAULT "gen_random_uuid"() NOT NULL,
    "name" character varying(100) DEFAULT ''::character varying NOT NULL,
    "isPrivate" boolean DEFAULT false NOT NULL,
    "ownerId" "uuid" NOT NULL,
    "topicIds" integer[] DEFAULT '{}'::integer[],
    "createdAt" timestamp(3) with time zone DEFAULT "now"() NOT NULL
);
ALTER TABLE "public"."rooms" OWNER TO "postgres";

CREATE TABLE IF NOT EXISTS "public"."room_members" (
    "roomId" "uuid" NOT NULL,
    "userId" "uuid" NOT NULL,
    "muted_until" time(0) without time zone,
    "nick" "text"
);

CREATE TABLE IF NOT EXISTS "public"."messages" (
    "id" bigint GENERATED ALWAYS AS IDENTITY,
    "roomId" "uuid" NOT NULL,
    "author" "uuid" DEFAULT "auth"."uid"(),
    "kind" "public"."message_kind" DEFAULT 'text'::"public"."message_kind" NOT NULL,
    "body" "text",
    "replyTo" bigint,
    "updatedAt" timestamp with time zone DEFAULT "now"() NOT NULL,
    CONSTRAINT "messages_body_check" CHECK ((("kind" <> 'text'::"public"."message_kind")
        OR (("char_length"("body") > 0) AND ("char_length"("body") <= 4000))))
);
COMMENT ON COLUMN "public"."messages"."replyTo" IS 'The message that this one answers.';

ALTER TABLE ONLY "public"."users" ADD CONSTRAINT "users_pkey" PRIMARY KEY ("id");
ALTER TABLE ONLY "public"."users" ADD CONSTRAINT "users_username_key" UNIQUE ("username");
ALTER TABLE ONLY "public"."rooms" ADD CONSTRAINT "rooms_pkey" PRIMARY KEY ("id");
ALTER TABLE ONLY "public"."room_members" ADD CONSTRAINT "room_members_pkey" PRIMARY KEY ("roomId", "userId");
ALTER TABLE ONLY "public"."messages" ADD CONSTRAINT "messages_pkey" PRIMARY KEY ("id");
ALTER TABLE ONLY "public"."users"
    ADD CONSTRAINT "users_id_fkey" FOREIGN KEY ("id") REFERENCES "auth"."users"("id") ON DELETE CASCADE;
ALTER TABLE ONLY "public"."room_members"
    ADD CONSTRAINT "room_members_roomId_fkey" FOREIGN KEY ("roomId")
    REFERENCES "public"."rooms"("id") ON DELETE CASCADE;
ALTER TABLE ONLY "public"."messages"
    ADD CONSTRAINT "messages_roomId_fkey" FOREIGN KEY ("roomId")
    REFERENCES "public"."rooms"("id") ON DELETE CASCADE;
ALTER TABLE ONLY "public"."messages"
    ADD CONSTRAINT "messages_replyTo_fkey" FOREIGN KEY ("replyTo") REFERENCES "public"."messages"("id")
    ON UPDATE RESTRICT ON DELETE SET NULL;

CREATE INDEX "messages_room" ON "public"."messages" USING "btree" ("roomId", "id" DESC);
CREATE INDEX "messages_search" ON "public"."messages" USING "btree" ("lower"("body"));

CREATE OR REPLACE TRIGGER "messages_updated" BEFORE UPDATE ON "public"."messages"
    FOR EACH ROW EXECUTE FUNCTION "public"."set_updatedAt"();

ALTER TABLE "public"."users" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "public"."rooms" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "public"."room_members" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "public"."messages" ENABLE ROW LEVEL SECURITY;

CREATE POLICY "users: read" ON "public"."users" FOR SELECT TO "authenticated" USING (true);
CREATE POLICY "users: own" ON "public"."users" USING (("auth"."uid"() = "id"));
CREATE POLICY "rooms: members" ON "public"."rooms" FOR SELECT USING (
    ((NOT "isPrivate") OR ("ownerId" = "auth"."uid"()) OR
    ("id" IN ( SELECT "room_members"."roomId" FROM "public"."room_members"
               WHERE ("room_members"."userId" = "auth"."uid"())))));
CREATE POLICY "members: own" ON "public"."room_members" FOR SELECT USING (("auth"."uid"() = "userId"));
CREATE POLICY "messages: write" ON "public"."messages" FOR INSERT TO "authenticated"
    WITH CHECK ((("author" = "auth"."uid"())
    AND ("kind" <> ALL (ARRAY['system'::"public"."message_kind"])) AND (EXISTS ( SELECT 1
      FROM ("public"."room_members" "m" JOIN "public"."rooms" "r" ON (("r"."id" = "m"."roomId")))
      WHERE (("m"."roomId" = "messages"."roomId") AND ("m"."userId" = "auth"."uid"()))))));
CREATE POLICY "messages: read" ON "public"."messages" FOR SELECT USING (true);

CREATE PUBLICATION "supabase_realtime" FOR ALL TABLES;
ALTER PUBLICATION "supabase_realtime" OWNER TO "postgres";

INSERT INTO "storage"."buckets" ("id", "name", "public")
VALUES ('chat-images', 'chat-images', false);
CREATE POLICY "chat images" ON "storage"."objects" FOR ALL TO "authenticated"
    USING ((("bucket_id" = 'chat-images'::"text") AND
    (("auth"."uid"())::"text" = ("storage"."foldername"("name"))[1])));

GRANT USAGE ON SCHEMA "public" TO "postgres";
GRANT ALL ON FUNCTION "public"."set_updatedAt"() TO "anon";
GRANT ALL ON TABLE "public"."messages" TO "anon";
GRANT SELECT ON ALL TABLES IN SCHEMA "public" TO "service_role";
GRANT SELECT ("id", "username"), REFERENCES ON TABLE "public"."users" TO PUBLIC;
