BEGIN TRANSACTION;
CREATE TABLE events (
        code TEXT NOT NULL,
        n INTEGER NOT NULL,
        at REAL NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (code, n)
    ) WITHOUT ROWID;
INSERT INTO "events" VALUES('7DBA2G',0,1.79478966544643044468e+09,'{"type":"created","game":"kora","options":{"deals":1,"stake":10,"bank":100,"betting":"fixed"},"seats":2,"public":true,"host":"PRtXLt2s2sZCKV9f","move_time":null,"grace":120}');
INSERT INTO "events" VALUES('7DBA2G',1,1.79478966544643044468e+09,'{"type":"secret","secret":"df2a2f7eebf01e82bdc7d57c5f9e8188"}');
INSERT INTO "events" VALUES('7DBA2G',2,1.79478966544643044468e+09,'{"type":"sat","seat":0,"person":"PRtXLt2s2sZCKV9f"}');
INSERT INTO "events" VALUES('7DBA2G',3,1.79478966545727515219e+09,'{"type":"sat","seat":1,"person":"7McixTUTo4yLzxTe"}');
INSERT INTO "events" VALUES('7DBA2G',4,1.79478966545843243596e+09,'{"type":"started","seed":"version 2","version":1,"secret":"df2a2f7eebf01e82bdc7d57c5f9e8188","salts":["-","-"]}');
INSERT INTO "events" VALUES('7DBA2G',5,1.79478966545978116994e+09,'{"type":"said","n":0,"person":"PRtXLt2s2sZCKV9f","kind":"text","text":"Bonjour, l''équipe !","channel":"players","at":1794789665.46}');
INSERT INTO "events" VALUES('7DBA2G',6,1.79478966546077466004e+09,'{"type":"reported","n":0,"by":"7McixTUTo4yLzxTe","at":1794789665.461}');
INSERT INTO "events" VALUES('7DBA2G',7,1.79478966546172380444e+09,'{"type":"acted","seat":0,"action":{"type":"play","card":"3S"},"took":0.003,"lag":0.0}');
INSERT INTO "events" VALUES('7DBA2G',8,1.79478966546371054651e+09,'{"type":"acted","seat":1,"action":{"type":"play","card":"AS"},"took":0.002,"lag":0.0}');
INSERT INTO "events" VALUES('7DBA2G',9,1.79478966546453356741e+09,'{"type":"acted","seat":0,"action":{"type":"play","card":"TS"},"took":0.001,"lag":0.0}');
INSERT INTO "events" VALUES('7DBA2G',10,1.7947896654653401375e+09,'{"type":"acted","seat":1,"action":{"type":"play","card":"4S"},"took":0.001,"lag":0.0}');
INSERT INTO "events" VALUES('7DBA2G',11,1.79478966546614503857e+09,'{"type":"acted","seat":0,"action":{"type":"play","card":"AH"},"took":0.001,"lag":0.0}');
INSERT INTO "events" VALUES('7DBA2G',12,1.79478966546691942217e+09,'{"type":"acted","seat":1,"action":{"type":"play","card":"2H"},"took":0.001,"lag":0.0}');
INSERT INTO "events" VALUES('7DBA2G',13,1.7947896654677138328e+09,'{"type":"acted","seat":1,"action":{"type":"play","card":"JS"},"took":0.001,"lag":0.0}');
INSERT INTO "events" VALUES('7DBA2G',14,1.79478966546850132943e+09,'{"type":"acted","seat":0,"action":{"type":"play","card":"3H"},"took":0.001,"lag":0.0}');
INSERT INTO "events" VALUES('7DBA2G',15,1.79478966546927237507e+09,'{"type":"acted","seat":1,"action":{"type":"play","card":"KD"},"took":0.001,"lag":0.0}');
INSERT INTO "events" VALUES('7DBA2G',16,1.79478966547002100938e+09,'{"type":"acted","seat":0,"action":{"type":"play","card":"TC"},"took":0.001,"lag":0.0}');
INSERT INTO "events" VALUES('7DBA2G',17,1.79478966547116875647e+09,'{"type":"secret","secret":"94ac5af330fff5d5cfa634ddc15596e3"}');
INSERT INTO "events" VALUES('7DBA2G',18,1.79478966547928047185e+09,'{"type":"rematch_asked","seat":0}');
INSERT INTO "events" VALUES('7DBA2G',19,1794789665.48018,'{"type":"rematch_asked","seat":1}');
INSERT INTO "events" VALUES('7DBA2G',20,1794789665.48018,'{"type":"started","seed":"version 2","version":1,"secret":"94ac5af330fff5d5cfa634ddc15596e3","salts":["-","-"]}');
CREATE TABLE matches (
        id TEXT PRIMARY KEY,
        game TEXT NOT NULL,
        public INTEGER NOT NULL,
        started REAL NOT NULL,
        ended REAL NOT NULL,
        plies INTEGER NOT NULL,
        reason TEXT NOT NULL,
        rated INTEGER NOT NULL,
        computers INTEGER NOT NULL,
        options TEXT NOT NULL
    ) WITHOUT ROWID;
INSERT INTO "matches" VALUES('7DBA2G-1','kora',1,1.79478966545843243596e+09,1.79478966547067904477e+09,10,'deals',1,0,'{"deals":1,"stake":10,"bank":100,"betting":"fixed"}');
CREATE TABLE people (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        avatar INTEGER NOT NULL
    ) WITHOUT ROWID;
INSERT INTO "people" VALUES('7McixTUTo4yLzxTe','Zoé',6);
CREATE TABLE players (
        match TEXT NOT NULL,
        seat INTEGER NOT NULL,
        game TEXT NOT NULL,
        ended REAL NOT NULL,
        person TEXT,
        level TEXT,
        name TEXT NOT NULL,
        avatar INTEGER NOT NULL,
        gone INTEGER NOT NULL,
        place INTEGER NOT NULL,
        score INTEGER NOT NULL,
        result TEXT NOT NULL,
        low_wins INTEGER NOT NULL,
        fast INTEGER,
        before REAL,
        after REAL,
        upset REAL,
        PRIMARY KEY (match, seat)
    ) WITHOUT ROWID;
INSERT INTO "players" VALUES('7DBA2G-1',0,'kora',1.79478966547067904477e+09,'PRtXLt2s2sZCKV9f',NULL,'Lynx calme',4,0,2,90,'loss',0,NULL,1500.0,1.33768910609370232124e+03,NULL);
INSERT INTO "players" VALUES('7DBA2G-1',1,'kora',1.79478966547067904477e+09,'7McixTUTo4yLzxTe',NULL,'Tortue fantasque',6,0,1,110,'win',0,10,1500.0,1.66231089390629767875e+03,NULL);
CREATE TABLE ratings (
        game TEXT NOT NULL,
        person TEXT NOT NULL,
        level TEXT NOT NULL,
        value REAL NOT NULL,
        deviation REAL NOT NULL,
        volatility REAL NOT NULL,
        matches INTEGER NOT NULL,
        PRIMARY KEY (game, person, level)
    ) WITHOUT ROWID;
INSERT INTO "ratings" VALUES('kora','7McixTUTo4yLzxTe','',1.66231089390629767875e+03,2.90318963717980466293e+02,5.99996753723381417988e-02,1);
INSERT INTO "ratings" VALUES('kora','PRtXLt2s2sZCKV9f','',1.33768910609370232124e+03,2.90318963717980466293e+02,5.99996753723381417988e-02,1);
CREATE TABLE recovery (
        person TEXT PRIMARY KEY,
        hash TEXT NOT NULL UNIQUE
    ) WITHOUT ROWID;
INSERT INTO "recovery" VALUES('PRtXLt2s2sZCKV9f','df9d2b28d8ca83fdbb66423967e1717308def93e30deaed817ed1c8f280cbd2f');
CREATE TABLE reports (
        code TEXT NOT NULL,
        n INTEGER NOT NULL,
        person TEXT NOT NULL,
        at REAL NOT NULL,
        PRIMARY KEY (code, n, person)
    ) WITHOUT ROWID;
INSERT INTO "reports" VALUES('7DBA2G',0,'7McixTUTo4yLzxTe',1794789665.461);
CREATE TABLE sitting (
        person TEXT NOT NULL,
        code TEXT NOT NULL,
        PRIMARY KEY (person, code)
    ) WITHOUT ROWID;
INSERT INTO "sitting" VALUES('7McixTUTo4yLzxTe','7DBA2G');
INSERT INTO "sitting" VALUES('PRtXLt2s2sZCKV9f','7DBA2G');
CREATE TABLE tables (
        code TEXT PRIMARY KEY,
        game TEXT NOT NULL,
        public INTEGER NOT NULL,
        status TEXT NOT NULL,
        updated REAL NOT NULL
    , match INTEGER NOT NULL DEFAULT 0, seats TEXT NOT NULL DEFAULT '[]') WITHOUT ROWID;
INSERT INTO "tables" VALUES('7DBA2G','kora',1,'playing',1.7947896673630123138e+09,2,'[{"person":"PRtXLt2s2sZCKV9f","level":null,"left":false},{"person":"7McixTUTo4yLzxTe","level":null,"left":false}]');
CREATE INDEX tables_by_status ON tables (status, updated);
CREATE INDEX sitting_by_table ON sitting (code);
CREATE INDEX public_matches ON matches (ended, id) WHERE public;
CREATE INDEX public_matches_of_game ON matches (game, ended, id) WHERE public;
CREATE INDEX players_by_person ON players (person, ended, match) WHERE person IS NOT NULL;
CREATE INDEX figures ON players (
        person, game, ended, match, result, place, score, low_wins, fast, after, upset
    ) WHERE person IS NOT NULL;
CREATE INDEX ratings_by_value ON ratings (game, value);
CREATE INDEX ratings_by_person ON ratings (person);
CREATE INDEX reports_by_time ON reports (at);
COMMIT;
PRAGMA user_version=2;
